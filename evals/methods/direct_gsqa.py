"""The method `direct-gsqa`: the model alone under the five rules of GS-QA (section 4.1, "Bare LLM")."""

from evals.methods.asking import Asking
from evals.methods.direct import ask_once
from evals.ports import Desk, Task
from mapagent.answer import Answer, Status
from mapagent.llm.chat import ChatMessage
from mapagent.ports import Account

MAX_TOKENS = 256
"""The answers asked for are a few words."""
PROMPT = "direct_gsqa"


class DirectGsqa:
    """One request with GS-QA's rules as system prompt; the whole reply is the answer."""

    name = "direct-gsqa"

    async def answer(self, task: Task, desk: Desk, account: Account) -> Answer:
        """Asks the model.

        Raises:
            ConfigError: There is no model.
        """
        rules = Asking(task, desk.settings.prompts).prompt(PROMPT)
        messages = (
            ChatMessage(role="system", text=rules.text),
            ChatMessage(role="user", text=task.question.text),
        )
        text = (await ask_once(self.name, desk, messages, account, MAX_TOKENS)).strip()
        return Answer(status=Status.ANSWERED if text else Status.NOT_UNDERSTOOD, text=text)

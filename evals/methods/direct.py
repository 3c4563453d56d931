"""The method `direct`: the model alone, asked once.

These are the "base model" rows of MapEval and of the MapAgent paper (table 3). The model sees the question,
the options and the context where there is one. It has no tools: without a context it answers from memory. As
in MapEval's own script it names the option and writes nothing else.
"""

from evals.methods.asking import Asking
from evals.methods.reading import read_answer
from evals.ports import Desk, Task
from map_tools.errors import ConfigError
from mapagent.answer import Answer
from mapagent.llm.chat import ChatMessage
from mapagent.ports import Account

MAX_TOKENS = 64
"""Room for an option's number, and for its text where the model writes that too."""


class Direct:
    """One request, one reply."""

    name = "direct"

    async def answer(self, task: Task, desk: Desk, account: Account) -> Answer:
        """Asks the model.

        Raises:
            ConfigError: There is no model.
        """
        asking = Asking(task, desk.settings.prompts, choice="answer_number")
        message = ChatMessage(role="user", text=asking.task_text())
        return read_answer(await ask_once(self.name, desk, (message,), account, MAX_TOKENS), task)


async def ask_once(
    method: str, desk: Desk, messages: tuple[ChatMessage, ...], account: Account, max_tokens: int
) -> str:
    """One request to the desk's model for a method; its reply.

    Raises:
        ConfigError: There is no model.
    """
    if desk.model is None:
        raise ConfigError(f"The method '{method}' needs a language model.", "Name one with --model.")
    reply = await desk.model.complete(messages, account=account, label=method, max_tokens=max_tokens)
    return reply.text

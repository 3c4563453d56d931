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
        if desk.model is None:
            raise ConfigError("The method 'direct' needs a language model.", "Name one with --model.")
        asking = Asking(task, desk.settings.prompts, choice="answer_number")
        reply = await desk.model.complete(
            (ChatMessage(role="user", text=asking.task_text()),),
            account=account,
            label="direct",
            max_tokens=MAX_TOKENS,
        )
        return read_answer(reply.text, task)

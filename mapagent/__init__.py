"""mapagent: answers questions about maps with verified evidence."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mapagent.core.agent import MapAgent
    from mapagent.core.answer import Answer
    from mapagent.core.conversation import Conversation
    from mapagent.core.question import Question

__all__ = ["Answer", "Conversation", "MapAgent", "Question"]
__version__ = "0.2.0"


def __getattr__(name: str) -> Any:  # the public names load on first use, so that `--help` stays fast
    if name == "MapAgent":
        from mapagent.core.agent import MapAgent

        return MapAgent
    if name == "Answer":
        from mapagent.core.answer import Answer

        return Answer
    if name == "Conversation":
        from mapagent.core.conversation import Conversation

        return Conversation
    if name == "Question":
        from mapagent.core.question import Question

        return Question
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

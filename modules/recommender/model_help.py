"""The language model of the recommender, opened when a plan wants it and not before."""

from collections.abc import Callable

from mapagent.config import Settings
from modules.planner.conversation import Conversation
from modules.recommender.model_reading import WishReader
from modules.recommender.reranking import Reranker

OFFLINE = "offline"


class ModelHelp:
    """Reads wishes and puts places in order.

    Args:
        opened: Opens the model.
    """

    def __init__(self, opened: Callable[[], Conversation]) -> None:
        self._opened = opened
        self._conversation: Conversation | None = None

    @classmethod
    def from_settings(cls, settings: Settings, model: str = "") -> "ModelHelp | None":
        """The help of a model; None where there is none.

        Args:
            settings: Server, key, limits.
            model: The model's name; empty: the settings' model.
        """
        name = model or settings.model
        if name == OFFLINE:
            return None

        def opened() -> Conversation:
            from mapagent.llm.open import open_model

            return Conversation(open_model(settings, model or None), settings.prompts)

        return cls(opened)

    def reader(self) -> WishReader:
        """What reads wishes.

        Raises:
            ConfigError: The model cannot be used: it needs a key, or its address is none.
        """
        return WishReader(self._open())

    def reranker(self, shortlist: int) -> Reranker:
        """What puts so many of the best places in order; raises as `reader`."""
        return Reranker(self._open(), shortlist)

    async def close(self) -> None:
        """Frees the model's connections."""
        if self._conversation is not None:
            await self._conversation.close()
            self._conversation = None

    def _open(self) -> Conversation:
        if self._conversation is None:
            self._conversation = self._opened()
        return self._conversation

"""The embedded planner: the learned reader for questions in words; for those about a picture, what it shows."""

from collections.abc import Sequence

from map_tools.facts import PictureFact
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import Run
from mapagent.core.programtext import quoted
from mapagent.runtime.config import Settings
from modules.nlu.planner import NAME, ReaderPlanner


class EmbeddedPlanner:
    """Answers without a language model (`mapagent.core.ports.Planner`).

    Args:
        reader: The learned reader.
    """

    name = NAME

    def __init__(self, reader: ReaderPlanner) -> None:
        self._reader = reader

    @classmethod
    def from_settings(cls, settings: Settings) -> "EmbeddedPlanner":
        """The planner (`mapagent.core.ports.PlannerFactory`).

        Raises:
            ConfigError: The threshold of the section `[modules.offline]` is none.
        """
        return cls(ReaderPlanner.from_settings(settings))

    async def answer(self, run: Run) -> Answer:
        """What the reader reads; of a picture first what it shows, at last the option that it supports best."""
        if run.question.image is None:
            return await self._reader.answer(run)
        asked = quoted(run.question.text)
        seen = await run.execute(f"answer(seen({asked}))")
        blank = any(isinstance(item.value, PictureFact) and not item.value.labels for item in seen.evidence)
        if seen.status is Status.ANSWERED or blank:
            return seen  # a question about a picture that shows nothing is none about the map
        read = await self._reader.answer(run)
        if read.status is Status.ANSWERED:
            return read
        guessed = await run.execute(f"answer(seen({asked}, guess=True))")
        return guessed if guessed.status is Status.ANSWERED else seen

    async def offered(self, run: Run, most: int) -> Sequence[Answer]:
        """What the likeliest readings come to; nothing for a question about a picture."""
        return await self._reader.offered(run, most) if run.question.image is None else ()

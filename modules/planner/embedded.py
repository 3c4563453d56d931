"""The embedded planner: the learned reader, with the grammar beside it where that still helps.

On authors that neither was made for, the grammar adds right answers where options are given to choose from, and
nothing but wrong ones to open questions over a map (`docs/reader.md` has the figures). Questions over a spatial
database and about pictures it reads better than the reader. It goes when the reader has these too.
"""

from map_tools.spatial_db.sources import HasEngine
from mapagent.answer import Answer, Status
from mapagent.config import Settings
from mapagent.ports import Planner, Run
from modules.nlu.planner import NAME, ReaderPlanner
from modules.offline.planner import GrammarPlanner


class EmbeddedPlanner:
    """Answers without a language model (`mapagent.ports.Planner`).

    Args:
        reader: The learned reader.
        grammar: Asked behind it where there are options, before it over a spatial
            database, alone for pictures.
    """

    name = NAME

    def __init__(self, reader: Planner, grammar: Planner) -> None:
        self._reader = reader
        self._grammar = grammar

    @classmethod
    def from_settings(cls, settings: Settings) -> "EmbeddedPlanner":
        """The planner (`mapagent.ports.PlannerFactory`).

        Raises:
            ConfigError: The threshold of the section `[modules.offline]` is none.
        """
        return cls(ReaderPlanner.from_settings(settings), GrammarPlanner.from_settings(settings))

    async def answer(self, run: Run) -> Answer:
        """The first answer of the planners asked; where none has one, why the reader has none."""
        told: dict[Planner, Answer] = {}
        for planner in self._asked(run):
            told[planner] = await planner.answer(run)
            if told[planner].status is Status.ANSWERED:
                return told[planner]
        read = told.get(self._reader)
        if read is not None and (self._grammar not in told or read.status is not Status.NOT_UNDERSTOOD):
            return read
        return told[self._grammar]

    def _asked(self, run: Run) -> tuple[Planner, ...]:
        """Who is asked, in order."""
        if run.question.image is not None:
            return (self._grammar,)
        if run.question.context is None and isinstance(run.provider, HasEngine):
            return self._grammar, self._reader
        return (self._reader, self._grammar) if run.question.options else (self._reader,)

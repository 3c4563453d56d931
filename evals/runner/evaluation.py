"""What was asked for on the command line: suite, methods, data, settings; and the items this selects."""

from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path

from evals.ports import Item, Method, Suite
from evals.registry import load_method, load_suite
from evals.runner.selection import Selection, select
from map_tools.errors import InputFileError, UsageError
from mapagent.config import Settings
from mapagent.faces.cli.arguments import settings_from
from mapagent.spread.seats import seats_of


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was asked for on the command line.

    Attributes:
        settings: Without the budget, which is for the whole run (`max_usd`).
        given: The command line.
    """

    suite: Suite
    methods: tuple[Method, ...]
    data: Path
    settings: Settings
    given: Namespace
    max_usd: float | None

    @property
    def concurrency(self) -> int:
        """Questions at once; one by one if nothing has to be waited for, so that times are true."""
        return seats_of(self.settings, self.given.concurrency)

    @property
    def provider_wanted(self) -> bool:
        """True if the command line names a provider."""
        return self.given.provider is not None

    @property
    def selection(self) -> Selection:
        """Which items are asked."""
        given = self.given
        return Selection(
            limit=given.limit,
            sample=given.sample,
            seed=given.seed,
            exclude_defective=given.exclude_defective,
        )

    def items(self) -> tuple[Item, ...]:
        """The items that are asked, in the file's order.

        Raises:
            InputFileError: The data or the sample cannot be read.
            UsageError: Nothing is selected.
        """
        return select(self.suite.load(self.data, self.given.protocol), self.selection)


def read_evaluation(given: Namespace, settings: Settings | None = None) -> Evaluation:
    """The evaluation a command line asks for.

    Args:
        given: The command line.
        settings: What the settings are, where that is settled already; None: as the command line, the
            configuration file and the environment have them.

    Raises:
        UsageError: The command line or a setting is wrong.
        InputFileError: The data is not there.
        UnknownNameError: There is no such suite or method.
    """
    settings = settings or settings_from(given).settings
    if given.data is None:
        raise UsageError(f"The suite {given.suite} needs its data.", "Name the file or folder with --data.")
    if not given.data.exists():
        raise InputFileError(f"There is no file or folder {given.data}.", "Check --data.")
    return Evaluation(
        suite=load_suite(given.suite),
        methods=tuple(load_method(name.strip()) for name in given.method.split(",")),
        data=given.data,
        settings=settings.model_copy(update={"max_usd": None}),
        given=given,
        max_usd=settings.max_usd,
    )

"""What was asked for on the command line: suite, methods, data, settings, the items these select, and the desk.

The desk is what the methods of a run work with: the map, the model, the database.
"""

import random
from argparse import Namespace
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.ports import EvalContext, HasClose, HasItemMaps, Item, Method, Suite, UsesDatabase
from evals.registry import load_method, load_suite
from map_tools.errors import InputFileError, UsageError
from map_tools.providers.base import Provider
from map_tools.spatial_db.port import SpatialDatabase
from mapagent.interfaces.cli.command import settings_from
from mapagent.llm.chat import ChatModel
from mapagent.runtime.config import Settings
from mapagent.runtime.distributed import seats_of
from mapagent.runtime.opening import OFFLINE, open_provider


@dataclass(frozen=True, slots=True)
class Selection:
    """Limits of a run.

    Attributes:
        limit: At most so many items: the first ones, or with `seed` drawn at random.
        sample: A file with one id a line; only these are asked (lines beginning with # are comments).
        seed: Seed of the draw.
        exclude_defective: Leaves out items that are known to be wrong.
    """

    limit: int | None = None
    sample: Path | None = None
    seed: int | None = None
    exclude_defective: bool = False

    def record(self) -> dict[str, Any]:
        """For the run record; which items came out is told by the digest of their ids."""
        return {
            "limit": self.limit,
            "sampled": self.sample is not None,
            "seed": self.seed,
            "exclude_defective": self.exclude_defective,
        }


def select(items: Sequence[Item], selection: Selection) -> tuple[Item, ...]:
    """The chosen items in the suite's order.

    Raises:
        InputFileError: The sample file cannot be read or names an unknown id.
        UsageError: Nothing is left.
    """
    chosen = list(items)
    if selection.exclude_defective:
        chosen = [item for item in chosen if not item.defective]
    if selection.sample is not None:
        wanted = _sampled(selection.sample, {item.id for item in items})
        chosen = [item for item in chosen if item.id in wanted]
    if selection.limit is not None and selection.limit < len(chosen):
        chosen = _limited(chosen, selection.limit, selection.seed)
    if not chosen:
        raise UsageError("No question is left to ask.", "Check --limit, --sample and --exclude-defective.")
    return tuple(chosen)


def _sampled(path: Path, known: set[str]) -> set[str]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise InputFileError(
            f"The sample {path} cannot be read: {error.strerror}.", "Check --sample."
        ) from error
    except UnicodeDecodeError as error:
        raise InputFileError(f"The sample {path} is not UTF-8 text.", "Write one id a line.") from error
    wanted: set[str] = set()
    for number, line in enumerate(lines, 1):
        name = line.strip()
        if not name or name.startswith("#"):
            continue
        if name not in known:
            raise InputFileError(
                f"{path}, line {number}: there is no question with the id '{name}'.",
                "Check --sample and --data.",
            )
        wanted.add(name)
    return wanted


def _limited(items: list[Item], limit: int, seed: int | None) -> list[Item]:
    """The first ones; with a seed a draw with the same share of every category, as near as numbers allow."""
    if seed is None:
        return items[:limit]
    order = random.Random(seed)  # noqa: S311 (a sample, not a secret)
    by_category: dict[str, list[Item]] = {}
    for item in items:
        by_category.setdefault(item.category, []).append(item)
    for members in by_category.values():
        order.shuffle(members)
    # The n-th of m members of a category stands at (n + ½) / m; the foremost ones of all make the sample.
    places = {
        item.id: (number + 0.5) / len(members)
        for members in by_category.values()
        for number, item in enumerate(members)
    }
    kept = {item.id for item in sorted(items, key=lambda item: places[item.id])[:limit]}
    return [item for item in items if item.id in kept]


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


@asynccontextmanager
async def opened_desk(evaluation: Evaluation, items: Sequence[Item]) -> AsyncIterator[EvalContext]:
    """The desk of an evaluation; it and the methods are closed at the end.

    Raises:
        MapAgentError: The map, the model or the database cannot be opened.
    """
    async with AsyncExitStack() as held:
        provider = _held(held, _open_provider(evaluation, items))
        model = _held(held, _open_model(evaluation))
        database = _open_database(evaluation, provider)
        if database is not None:
            held.callback(database.close)
        for method in evaluation.methods:
            _held(held, method)
        yield EvalContext(settings=evaluation.settings, provider=provider, model=model, database=database)


def _held[T](held: AsyncExitStack, thing: T) -> T:
    """The thing, which is closed at the end if it can be."""
    if isinstance(thing, HasClose):
        held.push_async_callback(thing.close)
    return thing


def provider_label(provider: Provider | None) -> str:
    """What the map is called in the run's record."""
    if provider is None:
        return ""
    return f"{provider.name}:{provider.map_name}" if provider.map_name else provider.name


def _open_provider(evaluation: Evaluation, items: Sequence[Item]) -> Provider | None:
    """The named provider, else the suite's, else the settings' where a question brings no facts."""
    if evaluation.provider_wanted:
        return open_provider(evaluation.settings)
    provider = evaluation.suite.provider(evaluation.data, evaluation.settings, evaluation.given.world)
    if provider is not None:
        return provider
    if isinstance(evaluation.suite, HasItemMaps):
        return None
    bare = any(item.task.question.context is None and item.task.question.image is None for item in items)
    return open_provider(evaluation.settings) if bare else None


def _open_database(evaluation: Evaluation, provider: Provider | None) -> SpatialDatabase | None:
    """The spatial database of the world or the map, where a method asks for it."""
    if not any(isinstance(method, UsesDatabase) and method.uses_database for method in evaluation.methods):
        return None
    from modules.spatial_database.database import open_database, source_of

    source: Path | None = evaluation.given.world
    if source is None and provider is not None:
        source = source_of(provider)
    return open_database(evaluation.settings, source) if source is not None else None


def _open_model(evaluation: Evaluation) -> ChatModel | None:
    """The language model of the settings; of a cascade, the one behind it."""
    # With the run's money: a model of unknown price is refused where money is limited.
    settings = evaluation.settings.model_copy(update={"max_usd": evaluation.max_usd})
    if settings.model == OFFLINE:
        return None
    from mapagent.llm.open import open_model

    return open_model(settings, settings.model.removeprefix("cascade:"))

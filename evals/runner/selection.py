"""Which items of a suite a run asks."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.ports import Item
from map_tools.errors import InputFileError, UsageError


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

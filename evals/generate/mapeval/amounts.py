"""Amounts as options: the right one as people write it, and wrong ones that no rounding makes right."""

import random
from collections.abc import Callable, Sequence

SHARES = (0.45, 0.6, 0.72, 1.32, 1.5, 1.75, 2.1)
"""Wrong amounts as multiples of the right one: at least a quarter off."""


def duration_text(seconds: float) -> str:
    """A duration in words: "47 mins", "1 hour 13 mins", "2 hours"."""
    hours, minutes = divmod(round(seconds / 60), 60)
    parts = [_counted(hours, "hour")] if hours else []
    parts += [_counted(minutes, "min")] if minutes or not hours else []
    return " ".join(parts)


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'s' if number != 1 else ''}"


def distance_text(meters: float) -> str:
    """A distance in words: "420 m", "3.4 km"."""
    return f"{round(meters, -1):.0f} m" if meters < 1000 else f"{meters / 1000:.1f} km"


def wrong_amounts(
    dice: random.Random, right: float, show: Callable[[float], str], apart: float, count: int = 3
) -> tuple[str, ...] | None:
    """Wrong amounts, at least `apart` off the right one and from each other; None if too few."""
    chosen: list[float] = []
    for share in dice.sample(SHARES, len(SHARES)):
        value = right * share
        if all(abs(value - other) >= apart for other in (right, *chosen)) and value > 0:
            chosen.append(value)
    texts = tuple(dict.fromkeys(show(value) for value in chosen[:count]))
    return texts if len(texts) == count and show(right) not in texts else None


def wrong_counts(dice: random.Random, right: int, count: int = 3) -> tuple[str, ...]:
    """Other small numbers around a count."""
    around = [number for number in range(max(0, right - 3), right + 4) if number != right]
    return tuple(str(number) for number in sorted(dice.sample(around, count)))


def others[T](dice: random.Random, pool: Sequence[T], right: T, count: int = 3) -> tuple[T, ...] | None:
    """Some of the pool beside the right one; None if there are too few."""
    rest = [item for item in pool if item != right]
    return tuple(dice.sample(rest, count)) if len(rest) >= count else None

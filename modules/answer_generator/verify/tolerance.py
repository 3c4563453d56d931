"""When two numbers are the same for verification."""

from collections.abc import Iterable

METRES_ABS = 1.0
METRES_SHARE = 0.001
SECONDS_ABS = 1.0
DEGREES_ABS = 0.5
DIGITS_ABS = 1e-6


def same(unit: str, a: float, b: float) -> bool:
    """True if two numbers of a unit agree: metres ±1 or 0.1 %, seconds ±1, degrees ±0.5, others exactly."""
    gap = abs(a - b)
    if unit == "m":
        return gap <= max(METRES_ABS, METRES_SHARE * max(abs(a), abs(b)))
    if unit == "s":
        return gap <= SECONDS_ABS
    if unit == "deg":
        return min(gap % 360, 360 - gap % 360) <= DEGREES_ABS
    return gap <= DIGITS_ABS * max(1.0, abs(a), abs(b))


def among(unit: str, value: float, known: Iterable[float]) -> bool:
    """True if a number is one of the known ones."""
    return any(same(unit, value, other) for other in known)

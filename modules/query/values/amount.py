"""Numbers and quantities: a value with its dimension, known exactly or within bounds.

Values are in metres, seconds, square metres, degrees and currency units; the unit a quantity was written in is
kept for showing only.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from map_tools.compute.measures import parse_distance_m, parse_duration_s


class Dimension(NamedTuple):
    """Exponents of metre, second, degree and money."""

    length: int = 0
    time: int = 0
    angle: int = 0
    money: int = 0


NUMBER = Dimension()
LENGTH = Dimension(length=1)
SIZE = Dimension(length=2)
DURATION = Dimension(time=1)
ANGLE = Dimension(angle=1)
MONEY = Dimension(money=1)
NAMES = {
    NUMBER: "number",
    LENGTH: "length",
    SIZE: "area",
    DURATION: "duration",
    ANGLE: "angle",
    MONEY: "amount of money",
}
"""What a dimension is called; products of them are called "quantity"."""

UNITS: dict[str, tuple[Dimension, float]] = {
    "m": (LENGTH, 1.0),
    "km": (LENGTH, 1000.0),
    "mi": (LENGTH, 1609.344),
    "ft": (LENGTH, 0.3048),
    "s": (DURATION, 1.0),
    "min": (DURATION, 60.0),
    "h": (DURATION, 3600.0),
    "m2": (SIZE, 1.0),
    "ha": (SIZE, 1e4),
    "km2": (SIZE, 1e6),
    "deg": (ANGLE, 1.0),
}
"""Units that can be asked for as fields (`.km`). Mile and foot are those of the international agreement of 1959."""

_CURRENCIES = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY"}
_EPSILON = 1e-9


PRICE_LEVELS: Mapping[str, float] = {
    "free": 0.0, "inexpensive": 1.0, "cheap": 1.0, "moderate": 2.0, "expensive": 3.0, "very expensive": 4.0,
    "$": 1.0, "$$": 2.0, "$$$": 3.0, "$$$$": 4.0,
}  # fmt: skip
"""Google's price levels (Places API, `price_level`), by their words and signs."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number or a quantity.

    Attributes:
        low, high: The bounds; equal where the value is known exactly. `high` may be infinite.
        dimension: What it measures.
        unit: The unit it was written or stated in, for showing; the currency of money.
        open_points: Why the bounds differ ("2 not stated"), for showing.
    """

    low: float
    high: float
    dimension: Dimension = NUMBER
    unit: str = ""
    open_points: str = ""

    @classmethod
    def of(cls, value: float, dimension: Dimension = NUMBER, unit: str = "") -> "Amount":
        """An exact amount."""
        return cls(value, value, dimension, unit)

    @property
    def exact(self) -> bool:
        """Whether its value is known."""
        return self.low == self.high

    @property
    def value(self) -> float:
        """The value of an exact amount."""
        return self.low

    @property
    def kind(self) -> str:
        """What it is called ("length")."""
        return NAMES.get(self.dimension, "quantity")


def price_level_of(text: str) -> float | None:
    """The price level that a word, or a sign, says: 2 for "moderate", "moderately" and "moderately priced"."""
    plain = text.casefold().removesuffix(" priced")
    return PRICE_LEVELS.get(plain, PRICE_LEVELS.get(plain.removesuffix("ly")))


def parse_amount(text: str) -> Amount | None:
    """A quantity as programs write it: "400 m", "1.5 km", "45 min", "2 ha", "90 deg", "18 EUR"; None if none.

    A bare number is none: where a unit belongs, it has to be written.
    """
    stripped = text.strip()
    head, _, unit = stripped.rpartition(" ")
    number = _number(head)
    if number is not None and unit in UNITS:
        dimension, size = UNITS[unit]
        return Amount.of(number * size, dimension, unit)
    money = _money(stripped)
    if money is not None:
        return money
    if number is not None and unit in {"degrees", "°"}:
        return Amount.of(number, ANGLE, "deg")
    if _number(stripped) is not None:
        return None
    metres = parse_distance_m(stripped)
    if metres is not None:
        return Amount.of(metres, LENGTH)
    seconds = parse_duration_s(stripped)
    return None if seconds is None else Amount.of(seconds, DURATION)


def is_measure(value: Amount) -> bool:
    """Whether it can be how far something reaches or how long it takes: a length above 0, a duration from 0 on."""
    return value.low > 0 or (value.dimension == DURATION and value.low == 0)


def _number(text: str) -> float | None:
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _money(text: str) -> Amount | None:
    for sign, code in _CURRENCIES.items():
        if sign in text:
            value = _number(text.replace(sign, "").strip())
            return None if value is None else Amount.of(value, MONEY, code)
    head, _, unit = text.rpartition(" ")
    value = _number(head)
    if value is None or len(unit) != 3 or not (unit.isascii() and unit.isupper()):  # ISO 4217
        return None
    return Amount.of(value, MONEY, unit)


def plus(a: Amount, b: Amount) -> Amount:
    """The sum; the dimensions must be equal.

    Raises:
        OverflowError: It is larger than numbers get. So do the difference, product and quotient.
    """
    return _keeping(a, Amount(a.low + b.low, a.high + b.high, a.dimension, a.unit or b.unit), b)


def minus(a: Amount, b: Amount) -> Amount:
    """The difference; the dimensions must be equal."""
    return _keeping(a, Amount(a.low - b.high, a.high - b.low, a.dimension, a.unit or b.unit), b)


def times(a: Amount, b: Amount) -> Amount:
    """The product; the dimensions add up."""
    ends = [_product(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    dimension = Dimension(*(x + y for x, y in zip(a.dimension, b.dimension, strict=True)))
    return _keeping(a, Amount(min(ends), max(ends), dimension, _unit(a, b, dimension)), b)


def over(a: Amount, b: Amount) -> Amount | None:
    """The quotient; None where b may be nothing."""
    if b.low <= 0 <= b.high:
        return None
    pairs = [(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    ends = [
        x / y for x, y in pairs if not (math.isinf(x) and math.isinf(y))
    ]  # the other ends bound what is left
    dimension = Dimension(*(x - y for x, y in zip(a.dimension, b.dimension, strict=True)))
    return _keeping(a, Amount(min(ends), max(ends), dimension, _unit(a, b, dimension)), b)


def less(a: Amount, b: Amount) -> bool | None:
    """Whether a < b; None where the bounds leave it open."""
    if a.high < b.low - _slack(a, b):
        return True
    return False if a.low >= b.high - _slack(a, b) else None


def same(a: Amount, b: Amount) -> bool | None:
    """Whether a and b are one value, rounding of sums aside; None where the bounds leave it open."""
    if a.exact and b.exact:
        return abs(a.value - b.value) <= _slack(a, b)
    return False if a.high < b.low or b.high < a.low else None


def _slack(a: Amount, b: Amount) -> float:
    ends = [abs(end) for end in (a.low, a.high, b.low, b.high) if math.isfinite(end)]
    return _EPSILON * max(ends, default=1.0)


def _product(x: float, y: float) -> float:
    return 0.0 if x == 0 or y == 0 else x * y


def _unit(a: Amount, b: Amount, dimension: Dimension) -> str:
    """The unit of a product: that of the factor which has its dimension."""
    return a.unit if a.dimension == dimension else b.unit if b.dimension == dimension else ""


def _keeping(a: Amount, made: Amount, b: Amount) -> Amount:
    points = a.open_points or b.open_points
    if all(map(math.isfinite, (a.low, a.high, b.low, b.high))) and not all(
        map(math.isfinite, (made.low, made.high))
    ):
        raise OverflowError("a number is too large")
    return (
        made if not points or made.exact else Amount(made.low, made.high, made.dimension, made.unit, points)
    )

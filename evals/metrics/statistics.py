"""Means over templates, confidence intervals, and whether two methods differ beyond noise.

The tests are paired: both methods answered the same questions.

B. Efron and R. Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13 (percentile intervals), over
the differences of the questions both methods were asked.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

ENTITY_TEMPLATES = tuple(f"T{number}" for number in range(1, 23))
"""GS-QA's templates whose answer is a name, a location or a direction (Geo-ReAct, table 2, last row)."""
NUMERIC_TEMPLATES = tuple(f"T{number}" for number in range(23, 29))
"""Those whose answer is a number."""


def macro(accuracies: Mapping[str, float], templates: Iterable[str] | None = None) -> float | None:
    """The mean of the accuracies of these templates (default: all); those not measured are left out.

    None if none was measured. Geo-ReAct, section 6.2: "we average this binary signal within and across
    templates".
    """
    wanted = accuracies.keys() if templates is None else templates
    found = [accuracies[name] for name in wanted if name in accuracies]
    return sum(found) / len(found) if found else None


Z_95 = 1.959963984540054
"""97.5 % quantile of the standard normal distribution."""


def wilson(right: int, n: int, z: float = Z_95) -> tuple[float, float] | None:
    """Wilson's score interval of a share; None for n = 0.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
    """
    if n == 0:
        return None
    share, square = right / n, z * z
    centre = share + square / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    scale = 1 + square / n
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


def quantile(values: Sequence[float], share: float) -> float | None:
    """The quantile by linear interpolation between order statistics; None without values.

    Type 7 of Hyndman and Fan, "Sample quantiles in statistical packages", Am. Stat. 50 (1996).
    """
    if not values:
        return None
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean; None without values."""
    return sum(values) / len(values) if values else None


RESAMPLES = 10_000
_SEED = 20_250_101
"""The draws are the same in every run, so that a committed interval can be recomputed."""
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Interval:
    """The mean of differences with its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def beyond_noise(self) -> bool:
        """True if the interval leaves out 0."""
        return self.low > 0 or self.high < 0


def mean_interval(values: Sequence[float]) -> Interval | None:
    """The mean of some values, or of paired differences, with its interval; None without values."""
    if not values:
        return None
    sample = np.asarray(values, np.float64)
    random = np.random.default_rng(_SEED)
    means = np.concatenate(
        [
            sample[random.integers(0, len(sample), (_BATCH, len(sample)))].mean(axis=1)
            for _ in range(RESAMPLES // _BATCH)
        ]
    )
    low, high = np.quantile(means, (0.025, 0.975))
    return Interval(float(sample.mean()), float(low), float(high))


@dataclass(frozen=True, slots=True)
class Paired:
    """Two methods over the questions both answered.

    Attributes:
        n: Questions both have a record of.
        only_a, only_b: Right by one of them alone.
        p_value: Two-sided, of the exact McNemar test.
    """

    n: int
    only_a: int
    only_b: int
    p_value: float

    @property
    def difference(self) -> float | None:
        """Accuracy of a minus accuracy of b on the common questions."""
        return (self.only_a - self.only_b) / self.n if self.n else None


def compare(a: Mapping[str, bool], b: Mapping[str, bool]) -> Paired:
    """Compares by id: right or not."""
    common = a.keys() & b.keys()
    only_a = sum(a[key] and not b[key] for key in common)
    only_b = sum(b[key] and not a[key] for key in common)
    return Paired(len(common), only_a, only_b, mcnemar_exact(only_a, only_b))


def mcnemar_exact(only_a: int, only_b: int) -> float:
    """Two-sided p-value: both kinds of disagreement are equally likely under the null hypothesis.

    Q. McNemar, Psychometrika 12 (1947), with the binomial distribution instead of its approximation.
    """
    n, fewer = only_a + only_b, min(only_a, only_b)
    tail = sum(math.comb(n, k) for k in range(fewer + 1))
    # Whole numbers up to the division: 2**n is far beyond a float where many pairs disagree.
    return min(1.0, 2 * tail / 2**n) if n else 1.0

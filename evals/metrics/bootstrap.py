"""Whether a mean differs between two methods beyond noise: the paired bootstrap.

B. Efron and R. Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13 (percentile intervals), over
the differences of the questions both methods were asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

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

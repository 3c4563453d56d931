"""Whether one method is better than another on the same questions."""

import math
from collections.abc import Mapping
from dataclasses import dataclass


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

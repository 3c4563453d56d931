"""How many questions of each family a benchmark has."""

from collections.abc import Sequence


def shares[K](families: Sequence[K], total: int | None, each: int) -> dict[K, int]:
    """`each` of every family; or `total` in all, the first families one more where it does not divide."""
    if total is None:
        return dict.fromkeys(families, each)
    part, rest = divmod(total, len(families))
    return {family: part + (index < rest) for index, family in enumerate(families)}

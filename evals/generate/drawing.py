"""Draws until there are enough different questions of a family."""

from collections import Counter
from collections.abc import Callable, Hashable

from evals.generate.gsqa.params import UnfitError


def draw_different[T](
    draw: Callable[[], T], key: Callable[[T], Hashable], wanted: int, *, attempts: int
) -> tuple[list[T], str]:
    """So many drafts, or as many as there are, and why there are no more (empty if there are enough).

    Args:
        draw: Makes a draft, or raises `UnfitError` where the draw makes no good question.
        key: What two drafts that count as one have in common; the first of them stays.
        wanted: How many are wanted.
        attempts: Draws for each of them before the family is given up.
    """
    reasons: Counter[str] = Counter()
    found: dict[Hashable, T] = {}
    for _ in range(attempts * wanted):
        if len(found) >= wanted:
            break
        try:
            draft = draw()
        except UnfitError as unfit:
            reasons[str(unfit)] += 1
            continue
        found.setdefault(key(draft), draft)
    if len(found) >= wanted:
        return list(found.values()), ""
    why = reasons.most_common(1)[0][0] if reasons else "the map has no more different ones"
    return list(found.values()), f"{len(found)} of {wanted}: mostly, {why}"

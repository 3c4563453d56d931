"""Stretches of words that can form a name, or a list of names."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modules.offline.labels import Label
from modules.offline.lexicon import word_set
from modules.offline.prefixes import name_start
from modules.offline.roles import role_before

if TYPE_CHECKING:
    from modules.offline.analysis import Analysis

_MATERIAL = frozenset({Label.NAME, Label.WORD, Label.KIND, Label.SOFT, Label.NUMBER})
_MAX_LINKERS = 3


@dataclass(slots=True)
class Run:
    """Tokens `first` to `last` (exclusive) that may form a name; `cuts` are the separators inside."""

    first: int
    last: int
    cuts: list[tuple[int, int]]


def runs_of(analysis: "Analysis", labels: list[Label]) -> list[Run]:
    """Maximal runs of words that can form a name or a list of names."""
    runs: list[Run] = []
    known = dict(analysis.known)
    index = 0
    while index < len(labels):
        if labels[index] not in _MATERIAL:
            index += 1
            continue
        begin = index if index in known else name_start(analysis, labels, index, runs[-1].last if runs else 0)
        run = Run(begin, known.get(index, index + 1), [])
        while (step := _next(analysis, labels, run)) is not None:
            run.last = step
        if any(labels[i] is not Label.SOFT for i in range(run.first, run.last) if labels[i] in _MATERIAL):
            runs.append(run)
        index = run.last
    return runs


def _next(analysis: "Analysis", labels: list[Label], run: Run) -> int | None:
    """The new end of the run if it goes on, else None."""
    tokens, last = analysis.tokens, run.last
    index, cut = last, None
    while index < len(tokens) and labels[index] not in _MATERIAL and index - last < _MAX_LINKERS:
        word = tokens[index].norm
        if tokens[index].initial:
            return None
        if word in word_set("separator"):
            cut = cut or index
        elif word not in word_set("link") and not (
            cut is not None and word in {"the", "a", "an", "to", "from"} and labels[index] is Label.OTHER
        ):
            return None
        index += 1
    if index >= len(tokens) or labels[index] not in _MATERIAL or tokens[index].initial:
        return None
    if _is_head(analysis, labels, run, index) or not _joins(analysis, labels, run, index, cut):
        return None
    if cut is not None:
        run.cuts.append((cut, index))
    return dict(analysis.known).get(index, index + 1)


def _joins(analysis: "Analysis", labels: list[Label], run: Run, index: int, cut: int | None) -> bool:
    """Whether the word at `index` carries the run on over what lies between."""
    tokens = analysis.tokens
    before, here = labels[run.last - 1], labels[index]
    if cut is None and _at_known_edge(analysis, run.last, index):
        joint = before is Label.NAME and _capital(analysis, run.last - 1, index)
        return (here is Label.NAME and joint) or (here is Label.KIND and not is_plural(tokens[index].norm))
    strong = Label.NAME in labels[run.first : run.last]
    gap = [token.norm for token in tokens[run.last : index]]
    if cut is not None:
        if "," in gap:
            return here is Label.NAME or (not strong and here is Label.WORD)
        return here is Label.NAME or not strong or "the" in gap
    if before is Label.KIND and is_plural(tokens[run.last - 1].norm) and tokens[run.last - 1].text.islower():
        return here is Label.KIND and not gap
    if here is Label.KIND and is_plural(tokens[index].norm) and tokens[index].text.islower() and strong:
        return role_before(analysis, run.first) != "target"
    if not gap:
        return True
    if not strong and role_before(analysis, run.first) == "target":
        return False
    if gap in (["'s"], ["'"]):
        return here is not Label.SOFT
    if strong:
        return here is Label.NAME or (here is Label.NUMBER and gap[0] in {"-", "."})
    return gap[0] in word_set("link", "inner") and before is not Label.SOFT


def _at_known_edge(analysis: "Analysis", last: int, index: int) -> bool:
    """True where a name that the map knows ends or begins."""
    return any(last == end or index == first for first, end in analysis.known)


def _capital(analysis: "Analysis", *indices: int) -> bool:
    return all(analysis.tokens[index].capital for index in indices)


def is_plural(word: str) -> bool:
    """True for what looks like an English plural."""
    return word.endswith("s") and not word.endswith(("ss", "us"))


def _is_head(analysis: "Analysis", labels: list[Label], run: Run, index: int) -> bool:
    """True for "museums" in "which of the Vaduz museums": the kind chosen from, behind the name of a town."""
    tokens = analysis.tokens
    plural = is_plural(tokens[index].norm) and tokens[index].text.islower()
    kinds = plural and labels[index] is Label.KIND
    before = [token.norm for token in tokens[max(run.first - 3, 0) : run.first]]
    chosen = bool(set(before) & word_set("choosing"))
    return kinds and chosen and index == run.last and labels[run.last - 1] is Label.NAME

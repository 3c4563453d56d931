"""Which words of a question are its target, its places and its region: the best of all ways."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

from map_tools.compute.geodesy import wind_words
from modules.offline.lexicon import Cue, glue
from modules.offline.spatial_ranges import Reach, Side, find_reach, find_sides
from modules.offline.spatial_targets import Target
from modules.offline.spatial_words import EXACT, Stretch, Words, overlaps, word_list

Role = Literal["from", "toward", "region", "corner"]

_LEADS: tuple[Role, ...] = ("from", "toward", "region")
_MOST_LEADS = 7
"""Phrases of one role that are tried as the beginning of a name."""
_LEFTOVER = 0.12
"""What each unexplained word takes off a layout."""
_LATE = 0.002
SURE = 0.97
DESCRIBED = 0.8
"""The quality of a description in place of a name."""
_KIND_WORDS = 5
_SIGNS = frozenset("?!.,:;-")


@dataclass(frozen=True, slots=True)
class Piece:
    """A name: where it stands, its words, and how surely it is one."""

    stretch: Stretch
    text: str
    quality: float


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to see the parts of a question.

    Attributes:
        target: The kind asked about; None if there is none.
        pieces: Names by role; `leads` the phrases before them.
        score: How well the parts explain the words.
    """

    target: Target | None
    side: Side | None
    reach: tuple[Reach, ...]
    pieces: dict[Role, Piece]
    leads: dict[Role, Cue]
    score: float = 0.0

    def used(self) -> list[Stretch]:
        """The stretches that have a part."""
        parts = [*(piece.stretch for piece in self.pieces.values())]
        parts += [(cue.first, cue.last) for cue in self.leads.values()]
        parts += [reach.stretch for reach in self.reach]
        parts += [part.stretch for part in (self.target, self.side) if part is not None]
        return parts


def best_layout(words: Words, targets: Sequence[Target]) -> Layout | None:
    """The best layout with a place or a region; None if there is none."""
    best: list[Layout] = []
    for layout in _layouts(words, targets):
        best.append(layout)
        best.sort(key=lambda one: -one.score)
        del best[3:]
    return max((_forgiving(words, layout) for layout in best), key=lambda one: one.score, default=None)


def _layouts(words: Words, targets: Sequence[Target]) -> Iterator[Layout]:
    reach = find_reach(words)
    sides: list[Side | None] = [*find_sides(words), None]
    for target, side in product([*targets, None], sides):
        hard = _hard(target, side, reach)
        if hard is None:
            continue
        for leads in _choices(words, hard):
            layout = _layout(words, leads, hard, target=target, side=side, reach=reach)
            if layout is not None:
                yield layout


def _hard(target: Target | None, side: Side | None, reach: Sequence[Reach]) -> list[Stretch] | None:
    """The stretches no name can run into; None if they overlap."""
    parts = [one.stretch for one in reach]
    for part in (side, target):
        if part is None:
            continue
        if any(overlaps(part.stretch, other) for other in parts):
            return None
        parts.append(part.stretch)
    return parts


def _choices(words: Words, hard: Sequence[Stretch]) -> Iterator[dict[Role, Cue]]:
    """The ways to choose at most one phrase for each role."""
    options: list[list[Cue | None]] = []
    for role in _LEADS:
        free = [cue for cue in words.of(f"lead.{role}") if _leads_on(words, cue, hard)]
        options.append([None, *free[-_MOST_LEADS:]])
    for chosen in product(*options):
        leads = {role: cue for role, cue in zip(_LEADS, chosen, strict=True) if cue is not None}
        stretches = [(cue.first, cue.last) for cue in leads.values()]
        if leads and not any(
            overlaps(a, b) for number, a in enumerate(stretches) for b in stretches[:number]
        ):
            yield leads


def _leads_on(words: Words, cue: Cue, hard: Sequence[Stretch]) -> bool:
    """True if the phrase is free and a free word follows it."""
    own, after = (cue.first, cue.last), (cue.last, cue.last + 1)
    return cue.last < len(words) and not any(overlaps(own, part) or overlaps(after, part) for part in hard)


def _layout(
    words: Words,
    leads: dict[Role, Cue],
    hard: Sequence[Stretch],
    *,
    target: Target | None,
    side: Side | None,
    reach: tuple[Reach, ...],
) -> Layout | None:
    begins = [part[0] for part in hard] + [cue.first for cue in leads.values()]
    begins += [target.front] if target is not None else []
    pieces: dict[Role, Piece] = {}
    for role, cue in leads.items():
        end = min([begin for begin in begins if begin >= cue.last] + [words.sentence_end(cue.last)])
        piece = _piece(words, cue.last, end)
        if piece is None:
            return None
        pieces[role] = piece
    layout = Layout(target, side, reach, pieces, leads)
    return replace(layout, score=_score(words, layout))


def _piece(words: Words, first: int, last: int) -> Piece | None:
    """The name in a stretch: the longest part the map knows, else all of it without empty words around."""
    while (
        first < last
        and words.norm(first) in word_list("head")
        and words.known.name(words.say(first, last)) < EXACT
    ):
        first += 1
    while first < last and words.norm(last - 1) in _SIGNS:
        last -= 1
    ends = _ends(words, first, last)
    if not ends or _is_no_name(words, first, last):
        return None
    for end in ends:
        quality = words.known.name(words.say(first, end))
        if quality >= SURE:
            return Piece((first, end), words.say(first, end), quality)
    if describes_place(words, first, last):
        return Piece((first, last), words.say(first, last), DESCRIBED)
    end = ends[-1]
    return Piece((first, end), words.say(first, end), words.known.name(words.say(first, end)))


def _is_no_name(words: Words, first: int, last: int) -> bool:
    """True for a direction ("the west") and for words that name nothing ("reach", "go")."""
    if wind_words(words.say(first, last)) is not None:
        return True
    small = all(
        words.tokens[index].text.islower() or not words.tokens[index].is_word for index in range(first, last)
    )
    return small and all(words.norm(index) in glue() | word_list("verbs") for index in range(first, last))


def describes_place(words: Words, first: int, last: int) -> bool:
    """True for a kind with a clause where a name would be: "university that has a salamander as mascot"."""
    for index in range(first + 1, min(last, first + _KIND_WORDS)):
        if words.norm(index) in word_list("describing"):
            return words.known.kinds.knows(words.say(first, index))
    return False


def _ends(words: Words, first: int, last: int) -> list[int]:
    """Where the name may end, the last one first: all of it; without what is said behind it."""
    ends = [last] if last > first else []
    cues = [cue for cue in words.of("filler", "ask", "pick", "fact") if first < cue.first < last]
    filler = min([cue.first for cue in cues if cue.group == "filler.words"], default=last)
    cuts = [
        cue.first
        for cue in cues
        if cue.family == "pick" or words.norm(cue.first - 1) in word_list("before_cut")
    ]
    cut = min(cuts, default=last)
    for end in (last, filler, cut):
        stripped = end
        while stripped > first and words.norm(stripped - 1) in word_list("tail"):
            stripped -= 1
        if stripped > first:
            ends.append(stripped)
    return sorted(set(ends), reverse=True)


def _score(words: Words, layout: Layout) -> float:
    """How well a layout explains the words; only layouts of one question are compared."""
    asked = [(cue.first, cue.last) for cue in words.of("ask", "pick", "filler", "fact", "relation")]
    left = words.leftover([*layout.used(), *asked])
    names = sum(piece.quality - 0.4 for piece in layout.pieces.values())
    kind = 0.5 + layout.target.sure if layout.target is not None else 0.0
    return (
        names
        + kind
        + 0.3 * (layout.side is not None)
        + _fits(words, layout)
        - _LEFTOVER * left
        - _LATE * _late(layout)
    )


def _fits(words: Words, layout: Layout) -> float:
    """What goes well together, and what does not."""
    roles = layout.pieces.keys()
    fits = 0.0
    if "from" not in roles:
        fits -= 0.8 * bool(words.of("pick.nearest") and not words.of("pick.largest", "pick.longest"))
        fits -= 0.6 * bool(layout.reach) + 0.6 * (layout.side is not None) + 0.6 * ("toward" in roles)
    if "from" in roles and "region" in roles:
        fits -= 0.8
    if "toward" in roles and layout.side is not None:
        fits -= 0.5
    return fits


def _late(layout: Layout) -> int:
    """Tokens of names: of two readings with the same parts the one with the longer names is better."""
    return -sum(last - first for first, last in (piece.stretch for piece in layout.pieces.values()))


def _forgiving(words: Words, layout: Layout) -> Layout:
    """The layout with names judged by likeness too."""
    pieces = {
        role: replace(piece, quality=words.known.alike(piece.text)) for role, piece in layout.pieces.items()
    }
    again = replace(layout, pieces=pieces)
    return replace(again, score=_score(words, again))

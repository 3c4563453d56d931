"""Questions about named places alone: how far two are apart, what kind one is, what is at a street corner."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from map_tools.compute.quantities import find_distances
from modules.offline.lexicon import glue
from modules.offline.spatial_intent import SpatialIntent
from modules.offline.spatial_names import SURE, known_names
from modules.offline.spatial_ranges import find_reach
from modules.offline.spatial_targets import Target
from modules.offline.spatial_words import Words, overlaps, pattern, word_list


@dataclass(frozen=True, slots=True)
class PairReading:
    """An intent, and how surely its names are names: 1 if the map knows all."""

    intent: SpatialIntent
    score: float


def pair_reading(words: Words, targets: Sequence[Target]) -> PairReading | None:
    """The reading as a question about named places alone; None if it is none."""
    return _corner(words, targets) or _kinds(words, targets) or _kind(words) or _apart(words, targets)


def _apart(words: Words, targets: Sequence[Target]) -> PairReading | None:
    """How far, or in which direction, one named place is from another."""
    ask = pattern("distance").search(words.text)
    compass = pattern("direction").search(words.text)
    if ask is None and compass is None:
        return None
    cue = ask or compass
    first = words.stretch(cue.start(), cue.end())[1] if cue else 0
    found = _two_names(words, first)
    if found is None:
        return None
    (a, b), score = found
    if targets and score < 1:
        return None
    intent = SpatialIntent(anchor=b, other=a, ask="distance" if ask else "direction")
    if not ask and words.norm(first) in {"from"}:
        intent = SpatialIntent(anchor=a, other=b, ask="direction")
    return PairReading(intent, score)


def _kinds(words: Words, targets: Sequence[Target]) -> PairReading | None:
    """Which kinds of amenity lie within a distance of a place; "social facilities" are one kind."""
    cue, reach = pattern("kinds").search(words.text), find_reach(words)
    if cue is None or not reach:
        return None
    noun = words.stretch(cue.end() - 1, cue.end())
    if any(overlaps(noun, target.stretch) for target in targets):
        return None
    begin, end = reach[0].stretch
    after = _named(words, end, len(words))
    before = _named(words, words.stretch(cue.start(), cue.end())[1], begin)
    options = [one for one in (after, before, _told(words)) if one is not None]
    best = max(options, key=lambda one: one[1], default=None)
    if best is None:
        return None
    return PairReading(
        SpatialIntent(anchor=best[0], within_m=reach[0].metres, ask="kinds"), max(best[1], 0.7)
    )


def _kind(words: Words) -> PairReading | None:
    """What kind of amenity a place is."""
    cue = pattern("kind_of").search(words.text)
    if cue is None:
        return None
    start, end = words.stretch(cue.start(), cue.end())
    found = _named(words, end, len(words)) or _named(words, 0, start)
    if (found is None or found[1] < SURE) and not words.of("pick"):
        found = _told(words) or found
    if found is None:
        return None
    return PairReading(SpatialIntent(anchor=found[0], ask="kind"), max(found[1], 0.7))


def _corner(words: Words, targets: Sequence[Target]) -> PairReading | None:
    """The nearest of a kind to the corner of two streets."""
    for first, last, least in _corners(words):
        for target in targets:
            end = _streets_end(words, first, last, target)
            streets, quality = next(_splits(words, first, end, word_list("corner_links")), (None, 0.0))
            if streets is not None and quality >= least and all(_is_street(words, one) for one in streets):
                return PairReading(SpatialIntent(what=target.what, corner=streets, pick="nearest"), 1.0)
    return None


def _is_street(words: Words, text: str) -> bool:
    """False for a distance, and for words in small letters that the map does not know."""
    named = not text[0].islower() or words.known.name(text) >= SURE
    return not find_distances(text) and (named or words.text.islower())


def _corners(words: Words) -> Iterator[tuple[int, int, float]]:
    """Where two streets can be named, and how surely: behind "the corner of", before "corner"."""
    for cue in pattern("corner").finditer(words.text):
        first = words.stretch(cue.start(), cue.end())[1]
        if first < len(words):
            yield first, words.sentence_end(first), 0.0
    for cue in pattern("corner_behind").finditer(words.text):
        last = words.stretch(cue.start(), cue.end())[0]
        begins = (lead.last for lead in words.of("lead.from", "lead.region") if lead.last <= last)
        yield max(begins, default=0), last, SURE


def _streets_end(words: Words, first: int, last: int, target: Target) -> int:
    """Where the names of two streets end at the latest: where the target's words begin."""
    if target.stretch[1] <= first or target.stretch[0] >= last:
        return last
    return min(
        [cue.first for cue in words.of("ask", "pick") if first < cue.first <= target.front], default=first
    )


def _two_names(words: Words, first: int) -> tuple[tuple[str, str], float] | None:
    """The two names behind a phrase, or around the words between them."""
    options = sorted(
        (
            *_splits(words, first, len(words), word_list("pair_links")),
            *_splits(words, 0, len(words), word_list("pair_links")),
        ),
        key=lambda option: -option[1],
    )
    return options[0] if options and options[0][1] > 0.4 else None


def _splits(
    words: Words, first: int, last: int, links: frozenset[str]
) -> Iterator[tuple[tuple[str, str], float]]:
    """All ways to see two names joined by a link in a stretch, with the quality of the worse one."""
    found = []
    for index in range(first + 1, last - 1):
        if words.norm(index) in links:
            a, b = _named(words, first, index), _named(words, index + 1, last)
            if a is not None and b is not None:
                found.append(((a[0], b[0]), min(a[1], b[1])))
    yield from sorted(found, key=lambda option: -option[1])


def _told(words: Words) -> tuple[str, float] | None:
    """The first name that the map knows, wherever it stands."""
    names = (words.say(*stretch) for stretch in known_names(words))
    return next(((name, words.known.name(name)) for name in names), None)


def _is_empty(words: Words, index: int) -> bool:
    """True for a word that begins or ends no name."""
    token = words.tokens[index]
    return token.norm in word_list("pair_empty") or (token.text.islower() and token.norm in glue())


def _named(words: Words, first: int, last: int) -> tuple[str, float] | None:
    """The name in a stretch and how surely it is one: as it stands if the map knows it, else trimmed."""
    options = []
    begin, end = first, last
    while True:
        text = words.say(begin, end).strip(" ?!.,:;").removesuffix("'")
        if text and words.known.name(text) >= 0.97:
            return text, words.known.name(text)
        options.append(text)
        if begin < end and _is_empty(words, begin):
            begin += 1
        elif begin < end and _is_empty(words, end - 1):
            end -= 1
        else:
            break
    text = words.say(begin, end).strip(" ?!.,:;").removesuffix("'")
    return (text, words.known.name(text)) if text and text != "I" else None

"""The kind of feature a question asks about, and where its words stand."""

from collections.abc import Iterator
from dataclasses import dataclass

from map_tools.concepts import find_in
from map_tools.phrases import singular
from map_tools.spatial_db.grounding.vocabulary import vocabulary
from modules.offline.lexicon import glue
from modules.offline.spatial_sides import is_wind
from modules.offline.spatial_words import Stretch, Words, overlaps, word_list

MOST = 4
"""Candidates that are tried as the target of a question."""
_LIKELY = 0.5
_LONGEST_GUESS = 4
_LONGEST_VALUE = 4
_SHORT_PHRASE = 1
_LONGEST_BEFORE, _LONGEST_BEHIND = 3, 6
_JOINTS = frozenset(" ;_")


@dataclass(frozen=True, slots=True)
class Target:
    """A kind and its words.

    Attributes:
        stretch: Where it stands.
        front: Where the words begin that belong to it: "the nearest" before it.
        what: Its words.
        sure: How much speaks for it: determiners in front, small letters.
        plural: True if several are asked for.
    """

    stretch: Stretch
    front: int
    what: str
    sure: float
    plural: bool


def find_targets(words: Words) -> tuple[Target, ...]:
    """The kinds that a question may ask about, the likeliest first."""
    found: dict[Stretch, Target] = {}
    asides = _asides(words)
    for head in _heads(words):
        if any(overlaps(head, aside) for aside in asides):
            continue
        stretch = _grown(words, head)
        if stretch is not None:
            found.setdefault(stretch, _target(words, stretch, head))
    if words.known.kinds.has_data and not any(target.sure >= _LIKELY for target in found.values()):
        for stretch in _guesses(words):
            empty = words.say(*stretch).casefold() in word_list("empty_kinds")
            if not empty and not any(overlaps(stretch, aside) for aside in asides):
                found.setdefault(stretch, _target(words, stretch, stretch))
    ranked = sorted(found.values(), key=lambda target: (-target.sure, target.stretch))
    kept: list[Target] = []
    for target in ranked:
        inside = any(
            one.stretch[0] <= target.stretch[0] and target.stretch[1] <= one.stretch[1] for one in kept
        )
        if not inside:
            kept.append(target)
    return tuple(kept[:MOST])


def _asides(words: Words) -> list[Stretch]:
    """Phrases whose words are no kind: asides, "on the road from", "square kilometres"."""
    cues = words.of("lead", "ask.area", "ask.length")
    cues += [cue for cue in words.of("ask.location") if words.norm(cue.first) in word_list("where_links")]
    long = [cue for cue in cues if cue.last - cue.first > _SHORT_PHRASE]
    return [(cue.first, cue.last) for cue in (*words.of("filler"), *long)]


def _heads(words: Words) -> Iterator[Stretch]:
    """Stretches that are a kind by themselves: words of the vocabularies, values of the data."""
    for phrase in (
        *find_in(words.text),
        *vocabulary().kinds.find(words.text),
        *vocabulary().heads.find(words.text),
    ):
        yield words.stretch(phrase.start, phrase.end)
    for first in range(len(words)):
        ends = {*range(first + 1, min(first + _LONGEST_VALUE, len(words)) + 1), _glued(words, first)}
        for last in sorted(ends):
            text = words.say(first, last)
            if (last == first + 1 or not _JOINTS.isdisjoint(text)) and words.known.kinds.is_value(text):
                yield first, last


def _glued(words: Words, first: int) -> int:
    """Where words that nothing parts end ("car_wash;car_detail")."""
    last = first + 1
    while last < len(words) and words.tokens[last].start == words.tokens[last - 1].end:
        last += 1
    return last


def _guesses(words: Words) -> Iterator[Stretch]:
    """What stands where a kind would stand, though nothing knows it: behind "the nearest", "which"."""
    sizes = [(size.first, size.last) for size in words.of("ask.area", "ask.length", "ask.kinds", "ask.kind")]
    for cue in words.of(
        "pick.nearest", "pick.farthest", "pick.largest", "pick.longest", "ask.count", "ask.names"
    ):
        last = cue.last
        while last < len(words) and last - cue.last < _LONGEST_GUESS and _can_be_kind(words, last):
            last += 1
        if last > cue.last and not any(overlaps((cue.last, last), size) for size in sizes):
            yield cue.last, last


def _can_be_kind(words: Words, index: int) -> bool:
    token = words.tokens[index]
    led = any(cue.first == index for cue in words.of("lead", "pick"))
    plain = token.norm not in glue() | word_list("function") and not led and not is_wind(token.norm)
    return plain and (token.text.islower() or token.text == "_")


def _grown(words: Words, head: Stretch) -> Stretch | None:
    """The head with the words that describe it, as far as they are understood; None if it is no kind."""
    first, last = head
    if words.say(first, last).casefold() in word_list("empty_kinds") or not words.known.kinds.knows(
        words.say(first, last)
    ):
        return None
    for before in range(_LONGEST_BEFORE, 0, -1):
        start = first - before
        if start < 0 or words.sentence[start] != words.sentence[first] or not _describes(words, start, first):
            continue
        if words.known.kinds.knows(words.say(start, last)) and words.tokens[start].is_word:
            first = start
            break
    if words.norm(last) in word_list("kind_links"):
        for behind in range(_LONGEST_BEHIND, 0, -1):
            end = last + 1 + behind
            if (
                end > len(words)
                or not words.tokens[end - 1].is_word
                or words.norm(end - 1) in word_list("function") | word_list("determiners")
                or not _plain(words, last + 1, end)
            ):
                continue
            if words.known.kinds.knows(words.say(first, end)):
                last = end
                break
    return first, last


def _target(words: Words, stretch: Stretch, head: Stretch) -> Target:
    first, last = stretch
    before = words.norm(first - 1)
    sure = 0.6 * (
        before in word_list("determiners") or any(cue.last == first for cue in words.of("ask.count", "pick"))
    )
    sure += 0.4 * (before in word_list("interrogative"))
    sure += 0.3 * _is_common(words, head[1] - 1) + 0.05 * (last - first) - 0.01 * first
    sure += 0.3 * any(cue.last == first for cue in words.of("pick", "ask.count"))
    name_like = not words.tokens[first].text.islower() and first > 0 and words.tokens[first - 1].capital
    sure -= 0.6 * (name_like and words.sentence[first - 1] == words.sentence[first])
    noun = words.norm(head[1] - 1)
    plural = singular(noun) != noun or before in word_list("each")
    return Target(stretch, _front(words, first), words.say(first, last), sure, plural=plural)


def _is_common(words: Words, index: int) -> bool:
    """True for a word in small letters, or with a capital for the sake of its sentence alone."""
    token = words.tokens[index]
    goes_on = index + 1 < len(words) and words.tokens[index + 1].capital
    return token.text.islower() or (token.initial and not goes_on)


def _describes(words: Words, start: int, first: int) -> bool:
    """True if no word before the head is a determiner or a mere function word."""
    norms = [words.norm(index) for index in range(start, first)]
    return not any(
        norm in word_list("determiners") or norm in word_list("function") or not norm[0].isalnum()
        for norm in norms
    )


def _plain(words: Words, first: int, last: int) -> bool:
    """True if nothing in a clause tells where: no figure, no "within", no "situated".

    What a kind is for or about is said in words with a meaning ("for children", not "for me at least").
    """
    norms = [words.norm(index) for index in range(first, last)]
    empty = [norm for norm in norms if norm in glue() and vocabulary().values.get(norm) is None]
    if empty and words.norm(first - 1) in word_list("purpose_links"):
        return False
    return not any(norm in word_list("placing") or norm.isdecimal() for norm in norms)


def _front(words: Words, first: int) -> int:
    """Back over determiners and superlatives."""
    while first > 0:
        before = next((cue for cue in words.of("pick") if cue.last == first), None)
        if before is not None:
            first = before.first
        elif words.norm(first - 1) in word_list("determiners"):
            first -= 1
        else:
            break
    return first

"""What a target is like, said apart from it: "I fancy Korean food; which restaurant is near?"."""

from collections.abc import Iterator, Sequence

from map_tools.spatial_db.grounding.areas import is_state
from map_tools.spatial_db.grounding.kinds import KindReader
from map_tools.spatial_db.grounding.vocabulary import vocabulary
from modules.offline.lexicon import Cue
from modules.offline.spatial_layout import Layout
from modules.offline.spatial_sides import winds_offered
from modules.offline.spatial_words import Stretch, Words, overlaps, word_list


def whole_kind(words: Words, layout: Layout) -> str:
    """The target's words, with what describes it elsewhere in the question.

    Such words have no other part, and make a narrower kind of the target. Words right before the target or
    in a clause behind it ("pet-friendly hotel", "hotel with a pool") belong to it even if nobody understands
    them: what they ask for is then no kind, and the answer says so instead of leaving them out.
    """
    if layout.target is None:
        return ""
    what = layout.target.what
    offered = winds_offered(words)
    phrases = [*words.cues, *([offered] if offered is not None else [])]
    fuller = _fuller(words, what, [*layout.used(), *((cue.first, cue.last) for cue in phrases)])
    narrower = next((kind for kind in fuller if _is_narrower(words.known.kinds, kind, what)), None)
    return narrower or _qualified(words, layout, phrases)


def _qualified(words: Words, layout: Layout, phrases: Sequence[Cue]) -> str:
    """The target with the words next to it that have no other part and name no other kind."""
    if layout.target is None:
        return ""
    first, last = layout.target.stretch
    unread = set(words.unread([*layout.used(), *((cue.first, cue.last) for cue in phrases)]))
    while first - 1 in unread and _may_describe(words, first - 1) and not _is_in_name(words, first - 1):
        first -= 1
    end = _clause_end(words, last, unread)
    dish = next((index for index in sorted(unread) if words.norm(index + 1) in word_list("meals")), None)
    if dish is not None and not first <= dish < end:
        return f"{words.say(dish, dish + 1)} {words.say(first, end)}"
    return words.say(first, end)


def _may_describe(words: Words, index: int) -> bool:
    """False for a word that says nothing of a target ("suitable") and for what is done to it ("locate")."""
    return words.norm(index) not in word_list("empty_adjectives")


def _clause_end(words: Words, last: int, unread: set[int]) -> int:
    """Where a clause that tells what the target is like ends ("with a pool"); `last` if there is none."""
    if words.norm(last) not in word_list("qualifiers"):
        return last
    end = last + 1
    while end in unread or (end < len(words) and words.norm(end) in word_list("articles")):
        end += 1
    return end if end - 1 in unread else last


def _fuller(words: Words, what: str, used: list[Stretch]) -> Iterator[str]:
    """The target with each of the words that might describe it."""
    unread = words.unread(used)
    for index in unread:
        apart = (
            _is_in_name(words, index)
            or is_state(words.say(index, index + 1))
            or _describes_other(words, index, unread)
        )
        if (
            not apart
            and _may_describe(words, index)
            and not _is_kind(words.known.kinds, words.say(index, index + 1))
        ):
            yield f"{words.say(index, index + 1)} {what}"
    for phrase in vocabulary().attributes.find(words.text):
        stretch = words.stretch(phrase.start, phrase.end)
        if not any(overlaps(stretch, part) for part in used):
            yield f"{what} with {words.say(*stretch)}"


def _is_in_name(words: Words, index: int) -> bool:
    """True for a word with a capital next to another one."""
    around = [number for number in (index - 1, index + 1) if 0 <= number < len(words)]
    return words.tokens[index].capital and any(words.tokens[number].capital for number in around)


def _describes_other(words: Words, index: int, unread: list[int]) -> bool:
    """True for a word that goes with the one behind it ("coffee lover"); not for "Thai food"."""
    return index + 1 in unread and words.norm(index + 1) not in word_list("meals")


def _is_kind(kinds: KindReader, word: str) -> bool:
    """True for a word that is a kind and describes none ("restaurant")."""
    kind = kinds.read(word)
    return kind is not None and len(kind.alternatives[0]) == 1


def _is_narrower(kinds: KindReader, described: str, what: str) -> bool:
    one, other = kinds.read(described), kinds.read(what)
    if one is None or other is None:
        return False
    return set(one.alternatives[0]) > set(other.alternatives[0])

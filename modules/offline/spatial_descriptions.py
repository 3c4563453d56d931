"""What a target is like, said apart from it: "I fancy Korean food; which restaurant is near?"."""

from collections.abc import Iterator

from modules.offline.spatial_layout import Layout
from modules.offline.spatial_sides import winds_offered
from modules.offline.spatial_words import Stretch, Words, overlaps, word_list
from modules.spatial_database.kinds import KindReader
from modules.spatial_database.states import is_state
from modules.spatial_database.vocabulary import vocabulary


def whole_kind(words: Words, layout: Layout) -> str:
    """The target's words, with what describes it elsewhere in the question.

    Such words have no other part, and make a narrower kind of the target.
    """
    if layout.target is None:
        return ""
    what = layout.target.what
    offered = winds_offered(words)
    phrases = [*words.cues, *([offered] if offered is not None else [])]
    fuller = _fuller(words, what, [*layout.used(), *((cue.first, cue.last) for cue in phrases)])
    return next((kind for kind in fuller if _is_narrower(words.known.kinds, kind, what)), what)


def _fuller(words: Words, what: str, used: list[Stretch]) -> Iterator[str]:
    """The target with each of the words that might describe it."""
    unread = words.unread(used)
    for index in unread:
        apart = (
            _is_in_name(words, index)
            or is_state(words.say(index, index + 1))
            or _describes_other(words, index, unread)
        )
        if not apart and not _is_kind(words.known.kinds, words.say(index, index + 1)):
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

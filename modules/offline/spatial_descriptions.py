"""What a target is like, said apart from it: "I fancy Korean food; which restaurant is near?"."""

from collections.abc import Iterator

from modules.offline.spatial_layout import Layout
from modules.offline.spatial_words import Stretch, Words, overlaps
from modules.spatial_database.kinds import KindReader
from modules.spatial_database.vocabulary import vocabulary


def whole_kind(words: Words, layout: Layout) -> str:
    """The target's words, with what describes it elsewhere in the question.

    Such words have no other part, and make a narrower kind of the target.
    """
    if layout.target is None:
        return ""
    what = layout.target.what
    fuller = _fuller(words, what, [*layout.used(), *((cue.first, cue.last) for cue in words.cues)])
    return next((kind for kind in fuller if _is_narrower(words.known.kinds, kind, what)), what)


def _fuller(words: Words, what: str, used: list[Stretch]) -> Iterator[str]:
    """The target with each of the words that might describe it."""
    for index in words.unread(used):
        if not _is_in_name(words, index):
            yield f"{words.say(index, index + 1)} {what}"
    for phrase in vocabulary().attributes.find(words.text):
        stretch = words.stretch(phrase.start, phrase.end)
        if not any(overlaps(stretch, part) for part in used):
            yield f"{what} with {words.say(*stretch)}"


def _is_in_name(words: Words, index: int) -> bool:
    """True for a word with a capital next to another one."""
    around = [number for number in (index - 1, index + 1) if 0 <= number < len(words)]
    return words.tokens[index].capital and any(words.tokens[number].capital for number in around)


def _is_narrower(kinds: KindReader, described: str, what: str) -> bool:
    one, other = kinds.read(described), kinds.read(what)
    if one is None or other is None:
        return False
    return len(one.alternatives[0]) > len(other.alternatives[0])

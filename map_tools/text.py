"""When two wordings mean the same name: case, accents, punctuation, order and small slips are forgiven."""

import re
from functools import lru_cache

from rapidfuzz import fuzz

from map_tools.kinds.phrases import fold

SAME_SCORE = 0.86
"""Two names at or above this similarity are taken for the same."""

CONTAINED_BASE = 0.86
CONTAINED_SPAN = 0.12
"""A name wholly contained in another scores between base and base + span, by the share of words they have in
common: always the same place, always less than an equal name."""

WORD_SCORE = 0.8
STEM_CHARS = 5
"""Two words this alike, or with such a common beginning, are one in two spellings or languages."""

LINK_CHARS = 3
"""Words up to this long ("of", "de", "the", "des") tell nothing beside longer ones."""

_WHEREABOUTS = re.compile(r", | (?:in|at|near) ", re.IGNORECASE)

MIN_CONTAINED_CHARS = 4
"""Shorter names ("bar", "7") occur by chance inside others."""


@lru_cache(maxsize=8192)
def normalise(text: str) -> str:
    """Folds case, accents and punctuation: "Café  d'Été" and "cafe d ete" become equal."""
    return re.sub(r"[\W_]+", " ", fold(text)).strip()


def similarity(a: str, b: str) -> float:
    """0 to 1: how alike two names are.

    A name that is wholly contained in the other ("Hill Park" in "Hill Park, Springfield") scores by
    containment, scaled down a little, so that an exact name always wins.
    """
    x, y = normalise(a), normalise(b)
    if not x or not y:
        return 0.0
    if x == y:
        return 1.0
    whole = fuzz.token_sort_ratio(x, y) / 100
    words_x, words_y = set(x.split()), set(y.split())
    if words_x <= words_y or words_y <= words_x:
        shared = min(len(words_x), len(words_y)) / max(len(words_x), len(words_y))
        contained = CONTAINED_BASE + CONTAINED_SPAN * shared
        return max(whole, contained) if min(len(x), len(y)) >= MIN_CONTAINED_CHARS else whole
    return whole


def same_name(a: str, b: str) -> bool:
    """True if the two wordings mean the same name."""
    return similarity(a, b) >= SAME_SCORE


def same_words(a: str, b: str) -> bool:
    """True if every telling word of the shorter name has its like in the longer ("basilica", "basilique").

    So names are told across languages and with words left out; single words are too few to tell.
    """
    shorter, longer = sorted((normalise(a).split(), normalise(b).split()), key=len)
    telling = [word for word in shorter if len(word) > LINK_CHARS]
    wanted = telling if len(telling) > 1 else shorter
    return len(wanted) > 1 and all(any(_same_word(word, other) for other in longer) for word in wanted)


def _same_word(a: str, b: str) -> bool:
    stem = a[:STEM_CHARS]
    return fuzz.ratio(a, b) >= 100 * WORD_SCORE or (len(stem) == STEM_CHARS and b.startswith(stem))


def slug(text: str) -> str:
    """A short id made of a name: "Café d'Été" becomes "cafe-d-ete"."""
    return normalise(text).replace(" ", "-")


def apart_from_whereabouts(name: str) -> tuple[str, str]:
    """A name, and what it is said to be in or near: ("Central Library", "Springfield"); that is often empty."""
    bare, *where = _WHEREABOUTS.split(name, maxsplit=1)
    return bare, where[0] if where else ""


HEAD_SHARE = 0.99
"""What a name counts that fits only the part before the qualifiers ("Old Mill" in "Old Mill, Norwich")."""
SHORTEST_WORD = 3
"""Letters a word needs to stand for a name it is part of ("the zoo" for "City Zoo")."""


def mention_score(text: str, name: str) -> float:
    """0 to 1: how surely a question's words name a place that a supplied text describes.

    Laxer than `similarity`, for the few names of one text: the words may carry qualifiers behind a comma, and
    leave out words of the name, or spell them as another language does.
    """
    head = text.partition(",")[0]
    score = max(similarity(text, name), HEAD_SHARE * similarity(head, name))
    if score >= SAME_SCORE:
        return score
    word = normalise(head)
    part = len(word) >= SHORTEST_WORD and word in normalise(name).split()
    return max(score, SAME_SCORE if part or same_words(head, name) else 0.0)

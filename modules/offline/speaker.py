"""Questions told of somebody else ("A motorist who leaves X ...") as if the speaker told them of himself.

The vocabulary words everything in the first person; authors of tests write of guests, drivers and travellers.
"""

import re
from functools import lru_cache

from modules.offline.lexicon import word_set

_OTHERS = re.compile(
    r"\b(?:he|she|they)\b|\b(?P<verb>can|could|does?|should|would|will|must|may|shall) one\b"
)


_YOU = re.compile(
    r"(?P<lead>(?:^|[.?!:;] )(?:(?:imagine|suppose|assume|say|picture)(?: that)?,? )?)you(?: are|['\u2019]re)"
    r"(?= (?:(?:now|currently|just) )?(?:at|in|near|by|on|outside|inside|standing|staying|visiting)\b)",
    re.IGNORECASE,
)
"""Where "you" are told to be is where the question is asked."""
_STARTING = re.compile(
    r"\b(?P<case>w)ith (?P<name>[^,.?!;]{2,60}?) as (?:the|my|our|a) "
    r"(?:starting point|start|point of departure|origin)\b",
    re.IGNORECASE,
)
"""Another way to say "from X"."""
_MODES = {"driving": "By car", "walking": "On foot", "cycling": "By bicycle"}
"""How the persons of these lists of `words.toml` travel."""


@lru_cache(maxsize=1)
def _person() -> str:
    return rf"(?:an?|the|our|another) (?:\w+ )?(?:{'|'.join(sorted(word_set('person', 'nouns')))})\b"


@lru_cache(maxsize=4)
def _pattern(key: str) -> re.Pattern[str]:
    subject = rf"(?P<lead>(?:^|[.?!:;,] )|\b(?:{'|'.join(sorted(word_set('person', 'before')))}) )"
    behind = {
        "at": r" (?:of|at|in|to) ",
        "who": r" (?:who|that) (?:is (?P<is>)|has (?P<has>))?",
        "alone": "",
    }[key]
    return re.compile(subject + _person() + behind, re.IGNORECASE)


def in_first_person(text: str) -> str:
    """The question with "I" for the person it tells of; unchanged if it tells of none.

    "A guest of the Y sets out" becomes "I am at the Y set out": what the grammars look for, not good English.
    """
    text = _STARTING.sub(_from, _YOU.sub(r"\g<lead>I am", text))
    told = _pattern("at").sub(r"\g<lead>I am at ", text)
    told = _pattern("who").sub(_who, told)
    told = _pattern("alone").sub(r"\g<lead>I", told)
    if told == text:
        return text
    told = _verbs().sub(lambda found: _base(found.group()), told)
    modes = (mode for mode in _MODES if _said_of(mode, text))
    return f"{_MODES[mode]}. {told}" if (mode := next(modes, None)) is not None else told


def _from(starting: re.Match[str]) -> str:
    return f"{'From' if starting['case'] == 'W' else 'from'} {starting['name']}"


def _said_of(mode: str, text: str) -> bool:
    return re.search(rf"\b(?:{'|'.join(word_set('person', mode))})\b", text, re.IGNORECASE) is not None


def _who(found: re.Match[str]) -> str:
    verb = "am " if found["is"] is not None else "have " if found["has"] is not None else ""
    return f"{found['lead']}I {verb}"


@lru_cache(maxsize=1)
def _verbs() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(word_set('person', 'verbs')))})\b")


def _base(verb: str) -> str:
    """The first person of a verb in the third ("goes" → "go")."""
    if verb == "has":
        return "have"
    return verb[:-2] if verb.endswith(("goes", "shes", "ches")) else verb[:-1]


def as_speaker(text: str) -> str:
    """A question in small letters with "i" for him, her and them ("where does she turn")."""
    return _OTHERS.sub(lambda found: f"{found['verb']} i" if found["verb"] else "i", text)

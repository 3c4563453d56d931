"""Word classes in phrases: `<motion> towards` stands for "go towards", "went towards", "heading towards"."""

import re
from collections.abc import Iterable, Iterator, Mapping

_CLASS = re.compile(r"<(\w+)>")
_VOWELS = "aeiou"
_HISSES = ("s", "x", "z", "sh", "ch", "o")
"""Endings behind which a verb takes "es"."""
_NEVER_DOUBLED = "wxy"


def expanded(phrases: Iterable[str], classes: Mapping[str, str]) -> list[str]:
    """The phrases with the words of each class in the place of its name.

    Args:
        phrases: Phrases of a `Lexicon`.
        classes: For each name its words; a verb with a trailing `~` stands for all its forms.

    Raises:
        KeyError: A phrase names a class that there is not.
    """
    words = {name: "|".join(all_words(text)) for name, text in classes.items()}
    return [_CLASS.sub(lambda match: words[match[1]], phrase) for phrase in phrases]


def all_words(text: str) -> Iterator[str]:
    """The words of a list, each verb with a trailing `~` in all its forms."""
    for word in text.split():
        if word.endswith("~"):
            yield from verb_forms(word[:-1])
        else:
            yield word


def verb_forms(verb: str) -> tuple[str, ...]:
    """The forms of a regular verb: "stop", "stops", "stopping", "stopped".

    Where English and American spelling differ ("travelling"), both are given; forms that no language has
    ("stoped") do no harm among phrases to look for.
    """
    third = f"{verb}es" if verb.endswith(_HISSES) else f"{verb}s"
    if verb.endswith("ie"):
        return verb, third, f"{verb[:-2]}ying", f"{verb}d"
    if verb.endswith("e"):
        return verb, third, f"{verb[:-1]}ing", f"{verb}d"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return verb, f"{verb[:-1]}ies", f"{verb}ing", f"{verb[:-1]}ied"
    return verb, third, *(f"{stem}{ending}" for stem in _stems(verb) for ending in ("ing", "ed"))


def _stems(verb: str) -> tuple[str, ...]:
    """What "ing" and "ed" may stand behind: the verb, and one like "stop" with its last letter twice."""
    ahead, before, last = verb[-3:-2], verb[-2:-1], verb[-1]
    doubles = ahead not in _VOWELS and before in _VOWELS and last not in _VOWELS + _NEVER_DOUBLED
    return (verb, verb + last) if doubles else (verb,)

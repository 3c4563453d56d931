"""The words and sentence forms of supplied texts, loaded from the TOML files beside it when needed."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from map_tools.text import normalise
from map_tools.types import TravelMode

MAX_SENTENCE_CHARS = 600
"""A line longer than this is no sentence the forms describe, and matching it could take very long."""

_GROUPS = ("name", "anchor", "what", "value", "pair", "type", "query")


@dataclass(frozen=True, slots=True)
class Words:
    """Single words and phrases, ready to be looked up.

    Attributes:
        labels: Field by normalised label ("opening hours" → "hours").
        services: Service key by normalised phrase ("serves lunch" → "serves_lunch").
        prices: Price level by normalised phrase.
        currencies: The sign or code of a currency by its signs and words, in lower case.
        modes: Mode of travel by phrase in lower case.
        filler: Leading or trailing words of a statement that add nothing.
        negative: Words that turn a statement into its opposite.
        truth: True or False by normalised answer word.
        unknown: Values that say that nothing is known.
        days: Names of days, normalised.
        vague_types: Kinds of place that say nothing.
        own: Nouns for the place where one stays.
        door: What stands for that place once it was spoken of.
        instructions: First words of an instruction.
        openers: Words before a kind of place that do not belong to it ("some", "nearby", "top").
        separators: What stands between the parts of a pair, by kind.
        ways: What a column or key of ways tells ("origin", "destination", "both", "mode"), by its label.
    """

    labels: Mapping[str, str]
    services: Mapping[str, str]
    prices: Mapping[str, int]
    currencies: Mapping[str, str]
    modes: Mapping[str, TravelMode]
    filler: frozenset[str]
    negative: frozenset[str]
    truth: Mapping[str, bool]
    unknown: frozenset[str]
    days: frozenset[str]
    vague_types: frozenset[str]
    own: frozenset[str]
    door: frozenset[str]
    instructions: frozenset[str]
    openers: frozenset[str]
    separators: Mapping[str, tuple[str, ...]]
    ways: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Forms:
    """Compiled sentence forms, by what they announce, and the patterns built from the word lists."""

    named: Mapping[str, tuple[re.Pattern[str], ...]]
    quantity: re.Pattern[str]
    """A number with a unit of time or length."""
    unit: re.Pattern[str]
    """A unit of time or length by itself, written out or in brackets."""
    mode: re.Pattern[str]
    """A phrase for a mode of travel, between word boundaries; the longest first."""
    remark: re.Pattern[str]
    """The beginning of a remark after an instruction."""
    via: re.Pattern[str]
    straight: re.Pattern[str]
    """Words that say that a distance is measured through the air and not travelled."""
    back: re.Pattern[str]
    """Words between the way there and the way back."""
    no_hours: re.Pattern[str]
    """Words of labels whose times are not those of opening."""

    def match(self, kind: str, text: str) -> re.Match[str] | None:
        """The first form of a kind that fits the whole text, which must be no longer than a sentence."""
        if len(text) > MAX_SENTENCE_CHARS:
            return None
        for pattern in self.named[kind]:
            found = pattern.fullmatch(text)
            if found is not None:
                return found
        return None


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(name).read_text("utf-8"))


def _inverted(table: Mapping[str, Iterable[str]]) -> dict[str, str]:
    return {normalise(phrase): key for key, phrases in table.items() for phrase in phrases}


def _phrases(phrases: Iterable[str]) -> frozenset[str]:
    return frozenset(map(normalise, phrases))


@lru_cache(maxsize=1)
def words() -> Words:
    """The word lists (`words.toml`)."""
    table = _table("words.toml")
    statement, text = table["statement"], table["text"]
    truth = {
        normalise(phrase) or phrase: told
        for told, key in ((True, "yes"), (False, "no"))
        for phrase in statement[key]
    }
    return Words(
        labels=_inverted(table["labels"]),
        services=_inverted(table["services"]),
        prices={phrase: int(level) for phrase, level in _inverted(table["prices"]).items()},
        currencies={told: code for code, signs in table["currencies"].items() for told in signs},
        modes={phrase: TravelMode(mode) for mode, phrases in table["modes"].items() for phrase in phrases},
        filler=_phrases(statement["filler"]),
        negative=_phrases(statement["negative"]),
        truth=truth,
        unknown=_phrases(statement["unknown"]),
        days=_phrases(text["days"]),
        vague_types=_phrases(text["vague_types"]),
        own=_phrases(text["own"]),
        door=_phrases(text["door"]),
        instructions=_phrases(text["instructions"]),
        openers=_phrases(text["openers"]),
        separators={kind: tuple(parts) for kind, parts in table["separators"].items()},
        ways=_inverted(table["ways"]),
    )


@lru_cache(maxsize=1)
def forms() -> Forms:
    """The sentence forms (`forms.toml`), compiled."""
    lists = _table("words.toml")
    table = _table("forms.toml")
    units = lists["units"]
    distance = _quantity(units["distance"])
    mode = "|".join(_longest_first(words().modes))
    slots = {group: f"(?P<{group}>.+?)" for group in _GROUPS} | {
        "rest": "(?P<rest>.*)",
        "count": r"(?P<count>\w+)",
        "distance": f"(?P<distance>{distance})",
        "note": r"(?: ?\((?P<note>[^()]*)\))?",
        "mode": f"(?:{mode})",
    }
    named = table["forms"]
    via, straight, back, no_hours = (named.pop(name) for name in ("via", "straight", "back", "no_hours"))
    lines = {kind: tuple(_compiled(form, slots) for form in group) for kind, group in named.items()}
    lines |= {
        kind: tuple(_compiled(form, slots) for form in group) for kind, group in table["situation"].items()
    }
    remarks = "|".join(map(re.escape, lists["text"]["remarks"]))
    return Forms(
        named=lines,
        quantity=re.compile(_quantity([*units["duration"], *units["distance"]]), re.IGNORECASE),
        unit=re.compile(
            rf"(?<!\w)(?:{'|'.join(_longest_first([*units['duration'], *units['distance']]))})(?!\w)",
            re.IGNORECASE,
        ),
        mode=re.compile(rf"(?<!\w)(?:{mode})(?!\w)", re.IGNORECASE),
        remark=re.compile(rf"(?:{remarks})"),
        via=re.compile(via, re.IGNORECASE),
        straight=re.compile(straight, re.IGNORECASE),
        back=re.compile(back, re.IGNORECASE),
        no_hours=re.compile(no_hours, re.IGNORECASE),
    )


def _quantity(units: Iterable[str]) -> str:
    return rf"\d[\d.,]*[ -]?(?:{'|'.join(_longest_first(units))})(?![\w'’])"


def _longest_first(phrases: Iterable[str]) -> list[str]:
    return [re.escape(phrase) for phrase in sorted(phrases, key=lambda phrase: (-len(phrase), phrase))]


def _compiled(form: str, slots: Mapping[str, str]) -> re.Pattern[str]:
    """Replaces the slots of a form; other braces (repeat counts) are left alone."""
    pattern = re.sub(r"\{([a-z]+)\}", lambda slot: slots[slot.group(1)], form)
    return re.compile(pattern, re.IGNORECASE)

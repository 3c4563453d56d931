"""What option matching works on and comes back with; the words of `words.toml` are loaded when first needed."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, cast

from map_tools.text import normalise
from mapagent.core.question import Question


@cache
def _tables() -> Mapping[str, Mapping[str, Any]]:
    text = files("modules.answer_generator").joinpath("words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def phrases(table: str, entry: str) -> Sequence[str]:
    """The phrases listed under one entry of a table."""
    return cast("Sequence[str]", _tables()[table][entry])


@cache
def values(table: str) -> Mapping[str, float]:
    """A table of words with a number each."""
    return {word: float(number) for word, number in _tables()[table].items()}


@cache
def meanings(table: str) -> Mapping[str, str]:
    """A table of phrase lists turned round: from each phrase to its entry."""
    return {phrase: entry for entry, listed in _tables()[table].items() for phrase in listed}


def has_phrase(text: str, listed: Sequence[str]) -> bool:
    """True if one of the phrases occurs in the text as whole words."""
    padded = f" {normalise(text)} "
    return any(f" {phrase} " in padded for phrase in listed)


def is_phrase(text: str, listed: Sequence[str]) -> bool:
    """True if the text is one of the phrases and nothing else."""
    return normalise(text) in listed


SAME = 1.0
"""Score of an option that says exactly the value."""

CLEAR_GAP = 0.03
"""An option that is not exactly the value must lead the next one by this much."""

TIGHT_SHARE = 0.6
"""Share of the margin an option keeps whose next rival scores nearly as high."""

CLEARLY_NEAREST = 1 / 3
"""An option that is not the value, but less than this share as far off as the next one, is clearly the nearest: the
value lies well inside half the gap between them."""

NEAREST_SHARE = 0.6
"""Share of the margin that is left to an option that is not the value, only the nearest to it."""

FULL_GAP = 0.5
"""A lead of this much over the next option gives the full margin."""


@dataclass(frozen=True, slots=True)
class Match:
    """The option that means the value.

    Attributes:
        index: From 0, in the question's own numbering. `text` is that option's text, stripped.
        margin: 0 to 1, how clearly this option and no other is meant.
        how: By what kind of comparison ("amount", "name", "order", ...).
        rank: 0 if the option means the value itself, n if it means the n-th runner-up.
        warnings: What the user should know, such as that only a runner-up is among the options.
    """

    index: int
    text: str
    margin: float
    how: str
    rank: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoMatch:
    """No option means the value; `tied` holds the indices of options that fit equally well."""

    reason: str
    tied: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """One option that can be chosen."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class Choices:
    """The options a value is compared with, and the question they belong to."""

    question: Question
    options: tuple[Option, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The options' texts in order."""
        return tuple(option.text for option in self.options)

    def only(self, indices: Sequence[int]) -> "Choices":
        """The same question with only these options left."""
        return replace(self, options=tuple(option for option in self.options if option.index in indices))


@dataclass(frozen=True, slots=True)
class Fit:
    """How well one option fits a value: `score` 0 to 1, where 1 says exactly the same."""

    option: Option
    score: float


def decide(fits: Sequence[Fit], *, floor: float, how: str, shown: str) -> Match | NoMatch:
    """Chooses the best option if it is good enough and clearly better than every other.

    Args:
        fits: One for each option.
        floor: Options below this score do not mean the value at all.
        how: The kind of comparison, for the result.
        shown: The value in words, for the reason of a `NoMatch`.
    """
    ranked = sorted((fit for fit in fits if fit.score >= floor), key=lambda fit: -fit.score)
    if not ranked:
        return NoMatch(reason=f"None of the options says {shown}.")
    best = ranked[0]
    twins = [fit.option for fit in ranked if same_text(fit.option.text, best.option.text)]
    rivals = [fit for fit in ranked if fit.option not in twins]
    tied = [fit for fit in rivals if not _leads(best.score, fit.score)]
    if tied:
        return tie([best.option, *(fit.option for fit in tied)], shown)
    lead = best.score - rivals[0].score if rivals else FULL_GAP
    clear = TIGHT_SHARE + (1 - TIGHT_SHARE) * min(1.0, lead / FULL_GAP)
    return chosen(twins, best.score * clear, how)


def chosen(twins: Sequence[Option], margin: float, how: str) -> Match:
    """The match for options of one and the same text: the first, with a warning if they are several."""
    first = min(twins, key=lambda option: option.index)
    if len(twins) == 1:
        return Match(index=first.index, text=first.text, margin=round(margin, 4), how=how)
    warning = f"Several options say '{first.text}'; the first is given."
    return Match(
        index=first.index,
        text=first.text,
        margin=round(margin / len(twins), 4),
        how=how,
        warnings=(warning,),
    )


def clearly_nearest(ranked: Sequence[tuple[float, Option]], how: str, shown: str) -> Match | None:
    """The option that a number which none of them says is clearly nearest to, with a warning; None if there is none.

    Args:
        ranked: How far off each option is, the nearest first.
        how: The kind of comparison, for the result.
        shown: The number in words.
    """
    best_off, best = ranked[0]
    twins = [option for _, option in ranked if same_text(option.text, best.text)]
    next_off = min((off for off, option in ranked if option not in twins), default=0.0)
    if best_off >= CLEARLY_NEAREST * next_off:
        return None
    found = chosen(twins, NEAREST_SHARE * (1 - best_off / (best_off + next_off)), how)
    return comes_nearest(found, shown)


def comes_nearest(found: Match, shown: str) -> Match:
    """The match, saying that it is not the value itself."""
    warning = f"None of the options says {shown}; {found.text} comes nearest."
    return replace(found, warnings=(*found.warnings, warning))


def same_text(a: str, b: str) -> bool:
    """True if two options read the same but for case and white space."""
    return a.casefold().split() == b.casefold().split()


def _leads(score: float, other: float) -> bool:
    if score >= SAME:
        return other < SAME
    return score - other >= CLEAR_GAP


def tie(options: Sequence[Option], shown: str) -> NoMatch:
    """The result where several options of different meaning fit equally well; names them all."""
    ordered = sorted(options, key=lambda option: option.index)
    names = " and ".join(f"'{option.text}'" for option in ordered)
    return NoMatch(
        reason=f"The options {names} fit {shown} equally well.",
        tied=tuple(option.index for option in ordered),
    )

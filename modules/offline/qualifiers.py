"""Names that say where another name lies: "X in Paris", "X on Baker Street"."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from modules.offline.marks import SURE, Mention

if TYPE_CHECKING:
    from modules.offline.analysis import Analysis

QUALIFYING = frozenset({"in", "on", "at"})
"""Roles in which a name qualifies the name right before it."""

_WORDS, _DEED = 0.5, 0.3
"""How much surer the second name may be; before "at" plain words are a deed ("give blood at X")."""


def qualify(analysis: "Analysis", mentions: list[Mention]) -> list[Mention]:
    """Joins a name to the one it qualifies: in "X in Paris" the second name says where the first one lies."""
    done: list[Mention] = []
    for mention in mentions:
        previous = done[-1] if done else None
        if previous is not None and _is_apposition(analysis, previous, mention):
            done.append(replace(mention, role="qualifier", parts=()))
            continue
        if previous is not None and _is_bracketed(analysis, previous, mention):
            done[-1] = _qualified(previous, mention.text)
            done.append(replace(mention, role="qualifier"))
            continue
        if previous is None or mention.role not in QUALIFYING or not _follows(analysis, previous, mention):
            done.append(mention)
            continue
        place, rest = _cut_list(analysis, previous, mention)
        if re.search(r"\bthe\b", analysis.between(previous.end, mention.start)) and not previous.parts:
            done[-1] = replace(previous, end=place.end, text=analysis.text[previous.start : place.end])
            done += [] if rest is None else [replace(rest, role=previous.role)]
            continue
        done[-1] = _qualified(previous, place.text)
        done.append(replace(place, role="qualifier", parts=()))
        if rest is not None:
            done.append(replace(rest, role=previous.role))
    return done


def _qualified(mention: Mention, text: str) -> Mention:
    if mention.parts:
        parts = (*mention.parts[:-1], replace(mention.parts[-1], qualifier=text))
        return replace(mention, parts=parts)
    return replace(mention, qualifier=", ".join(filter(None, (mention.qualifier, text))))


def _cut_list(analysis: "Analysis", previous: Mention, mention: Mention) -> tuple[Mention, Mention | None]:
    """Takes "between X in Paris and Y" apart: only what stands before "and" says where X lies; Y goes on."""
    paired = previous.role in {"between", "from"} or analysis.has("comp", "ask.which_of", "sup")
    paired = paired or analysis.has("ask.apart", "ask.straight") or analysis.option_kind == "distance"
    if not mention.parts or not (paired or _is_qualified(analysis, mention)):
        return mention, None
    for index in range(1, len(mention.parts)):
        before, after = mention.parts[index - 1], mention.parts[index]
        gap = analysis.between(before.end, after.start)
        if re.search(r"\b(and|or|to)\b", gap) or ("," in gap and analysis.has("comp")):
            place = analysis.text[mention.start : before.end]
            rest = replace(
                mention,
                start=after.start,
                text=analysis.text[after.start : mention.end],
                parts=mention.parts[index:],
            )
            if len(rest.parts) == 1:
                rest = replace(rest, parts=())
            return replace(mention, end=before.end, text=place), rest
    return mention, None


def _is_bracketed(analysis: "Analysis", name: Mention, mention: Mention) -> bool:
    """True for the city in "X (City)"."""
    closed = analysis.text[mention.end : mention.end + 1] == ")"
    sure = name.strength >= SURE and name.role != "target" and not (name.parts or mention.parts)
    return closed and sure and analysis.between(name.end, mention.start).strip() == "("


def _is_apposition(analysis: "Analysis", name: Mention, mention: Mention) -> bool:
    """True for the kind in "X, the restaurant in Paris", and for the area behind it: both tell of X."""
    gap = analysis.between(name.end, mention.start).split()
    if name.role == "qualifier" and name.strength < SURE:
        return mention.role == "in" and gap in (["in"], ["in", "the"])
    return (
        mention.role == "target" and name.strength >= SURE and gap in ([",", "the"], [",", "a"], [",", "an"])
    )


def _is_qualified(analysis: "Analysis", mention: Mention) -> bool:
    """True for "A and Y" in "X in A and Y in B": the last of them has an area of its own."""
    after = next((token.norm for token in analysis.tokens if token.start >= mention.end), "")
    return after in QUALIFYING


def _follows(analysis: "Analysis", previous: Mention, mention: Mention) -> bool:
    gap = analysis.between(previous.end, mention.start).replace(",", " ").split()
    weaker = _DEED if mention.role == "at" else _WORDS
    plain = previous.role not in {"target", "qualifier"} and previous.strength > mention.strength - weaker
    return plain and len(gap) in {1, 2} and gap[0] in QUALIFYING and gap[1:] in ([], ["the"])

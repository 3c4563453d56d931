"""When "to", "for" or "and" leads to a goal: only behind the start of a way."""

from collections.abc import Mapping

from modules.offline.lexicon import Cue
from modules.offline.spatial_names import SURE, Piece, Role
from modules.offline.spatial_words import Words, word_list


def is_journey(words: Words, leads: Mapping[Role, Cue], pieces: Mapping[Role, Piece]) -> bool:
    """False if a mere link is taken for the way to a goal where no start stands right before it.

    A start is told by the word that leads on to it ("from A to B", "between A and B"), or it is a name the
    map knows that begins a part of a sentence ("A to B: nearest bank?").
    """
    goal = leads.get("toward")
    if goal is None or not _is_link(words, goal):
        return True
    start, lead = pieces.get("from"), leads.get("from")
    if start is None or lead is None or not _starts(words, lead, goal, start):
        return False
    whole = words.say(start.stretch[0], pieces["toward"].stretch[1])
    return start.stretch[1] <= goal.first <= start.stretch[1] + 1 and words.known.name(whole) < SURE


def heads_for_goal(words: Words) -> bool:
    """True if a goal may be named, by the words alone."""
    norms = {token.norm for token in words.tokens}
    return any(
        not _is_link(words, cue) or not _start_words(words, cue).isdisjoint(norms)
        for cue in words.of("lead.toward")
        if cue.last < len(words) and words.tokens[cue.last].is_word
    )


def _is_link(words: Words, cue: Cue) -> bool:
    return _text(words, cue) in word_list("journey_links") | word_list("between_links")


def _starts(words: Words, lead: Cue, goal: Cue, start: Piece) -> bool:
    """True if a start of a way is told, in the words that go with the link to its goal."""
    if lead.first == lead.last:
        begins = not words.norm(start.stretch[0] - 1)[:1].isalnum()
        return begins and start.quality >= SURE and _text(words, goal) in word_list("journey_links")
    told = {words.norm(index) for index in range(lead.first, lead.last)}
    return not _start_words(words, goal).isdisjoint(told)


def _start_words(words: Words, goal: Cue) -> frozenset[str]:
    """The words for a start that go with a link: "between" with "and"."""
    return word_list(
        "between_starts" if _text(words, goal) in word_list("between_links") else "journey_starts"
    )


def _text(words: Words, cue: Cue) -> str:
    return words.say(cue.first, cue.last).casefold()

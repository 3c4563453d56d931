"""The parts of a question, as the grammars see them: quantities, days, kinds of places, names.

Everything refers to `Analysis.text`, the tidied question. Grammars combine three things: *cues* (phrases of
the lexicon by group, `analysis.has("sup.nearest")`), typed *marks* (`analysis.distances`) and *mentions* of
places with the role their surroundings give them (`analysis.by_role("from")`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import time
from functools import cached_property
from typing import Any

from map_tools.concepts import Concept
from map_tools.types import TravelMode
from modules.offline.intents import HERE, Filters, When
from modules.offline.lexicon import Cue, glue, word_set
from modules.offline.marks import SURE, Mark, Mention, outermost, outside
from modules.offline.options import OptionKind
from modules.offline.token import Token

Span = tuple[int, int]
_ALIGHTED = re.compile(
    r"\b(?:g[eo]ts?|getting|step(?:ped|ping)?|hop(?:ped|ping)?|climb(?:ed|ing)?)"
    r" (?:off|out of)(?: (?:the|my|our|a))?\s*$",
    re.IGNORECASE,
)
"""Before what one has come by, which tells nothing of the way on ("I just got off the train")."""
_NUMBERED = frozenset({"house", "phone", "telephone", "room", "reference", "postal"})


@dataclass
class Analysis:
    """What a question is made of. All spans are in `text`.

    Attributes:
        options: The live options' texts; `option_kind` what they are ("yes_no", "duration", "via", ...).
        sentence: For each token the number of its sentence.
        cues: Phrases of the lexicon.
        durations: In seconds. `distances`: in metres. `clocks`: times of day.
        days: Each day or date said; `when` what day and time of day the question fixes in all.
        kinds: Kinds of places (those inside a place's name left out). `cuisines`: kinds of food.
        winds: Directions ("N", "NE", ...).
        known: Names of several words that the map knows to the letter, as stretches of tokens.
        filters: Conditions on rating, reviews, price, services and cuisine (not on opening hours).
        mentions: Names of places in the order of the text.
        found: What several grammars look for, by its name, once one of them has found it.
        context: The text supplied with the question.
        here: Where the question says the speaker is; None if it does not.
    """

    text: str
    options: tuple[str, ...]
    option_kind: OptionKind
    tokens: tuple[Token, ...]
    sentence: tuple[int, ...]
    cues: tuple[Cue, ...]
    durations: tuple[Mark[float], ...] = ()
    distances: tuple[Mark[float], ...] = ()
    clocks: tuple[Mark[time], ...] = ()
    days: tuple[Mark[When], ...] = ()
    when: When = field(default_factory=When)
    kinds: tuple[Mark[Concept], ...] = ()
    cuisines: tuple[Mark[str], ...] = ()
    winds: tuple[Mark[str], ...] = ()
    known: tuple[Span, ...] = ()
    conditions: tuple[Mark[Filters], ...] = ()
    filters: Filters = field(default_factory=Filters)
    mentions: tuple[Mention, ...] = ()
    found: dict[str, tuple[Any, ...]] = field(default_factory=dict[str, tuple[Any, ...]])
    context: str | None = None

    @cached_property
    def groups(self) -> frozenset[str]:
        """The groups of all cues, with their families: "sup.nearest" and "sup"."""
        return frozenset(group for cue in self.cues for group in (cue.group, cue.family))

    def has(self, *groups: str) -> bool:
        """True if a cue of any of these groups ("sup.nearest") or families ("sup") occurs."""
        return not self.groups.isdisjoint(groups)

    def find(self, *groups: str) -> list[Cue]:
        """The cues of these groups or families, in the order of the text."""
        if not self.has(*groups):
            return []
        wanted = set(groups)
        return [cue for cue in self.cues if cue.group in wanted or cue.family in wanted]

    def span(self, cue: Cue) -> Span:
        """Where a cue stands in the text."""
        return self.tokens[cue.first].start, self.tokens[cue.last - 1].end

    def words(self, cue: Cue) -> str:
        """The words of a cue, lower case."""
        return " ".join(token.norm for token in self.tokens[cue.first : cue.last])

    @cached_property
    def here(self) -> Mention | None:
        """Where the speaker says to be ("I'm staying at X", "my hotel is X")."""
        return next((mention for mention in self.mentions if mention.role == "self"), None)

    @cached_property
    def starts(self) -> frozenset[str]:
        """The words that sentences begin with, politeness set aside ("could you tell me whether ...")."""
        polite = {cue.last for cue in self.find("filler")}
        polite |= {last + 1 for last in polite if last < len(self.tokens) and self.tokens[last].text == ","}
        return frozenset(
            token.norm for index, token in enumerate(self.tokens) if token.initial or index in polite
        )

    @property
    def here_place(self) -> str:
        """The stated position, or "here" for the user's own."""
        return self.here.place if self.here else HERE

    @cached_property
    def refers_here(self) -> bool:
        """True if the question speaks of the speaker's position ("near me", "my location", "nearby")."""
        polite = [(cue.first, cue.last) for cue in self.find("filler")]
        return any(
            not any(first <= cue.first and cue.last <= last for first, last in polite)
            and (cue.first == 0 or self.tokens[cue.first - 1].norm not in word_set("telling"))
            for cue in self.find("here.meant", "here.self")
        )

    @cached_property
    def says_closed(self) -> bool:
        """True if closed is meant and not open: "not open" is closed, "not yet closed" is open."""
        opens, closes = self.find("open.open"), self.find("open.closed")
        return any(not cue.within(opens) for cue in closes) and all(cue.within(closes) for cue in opens)

    @cached_property
    def asks_count(self) -> bool:
        """True for "how many" and "the number of", but not for "phone number of"."""
        cues = [
            cue
            for cue in self.find("ask.how_many")
            if cue.first == 0 or self.tokens[cue.first - 1].norm not in _NUMBERED
        ]
        measured = self.find("ask.how_long", "ask.how_far")  # "how many minutes" counts no places
        cues = [cue for cue in cues if not cue.within(measured)]
        most = self.find("sup")  # "the largest number of reviews" is no count
        cues = [cue for cue in cues if not any(one.first <= cue.first < one.last for one in most)]
        return (bool(cues) or self._how_much_of_kinds) and not self.has("attribute.phone")

    @property
    def _how_much_of_kinds(self) -> bool:
        """True for "how much pubs", as people say who learn the language."""
        return any(re.search(r"\bhow much\s+$", self.between(0, mark.start)) for mark in self.kinds)

    def by_role(self, *roles: str) -> list[Mention]:
        """The mentions with one of these roles, in the order of the text."""
        return [mention for mention in self.mentions if mention.role in roles]

    @cached_property
    def places(self) -> list[Mention]:
        """The mentions that are places of their own: no targets, qualifiers or exclusions."""
        return [item for item in self.mentions if item.role not in {"target", "qualifier", "without"}]

    @cached_property
    def modes(self) -> tuple[Mark[TravelMode], ...]:
        """Travel modes in the order of the text, outside of names."""
        said = [cue for cue in self.find("mode") if not _ALIGHTED.search(self.text[: self.span(cue)[0]])]
        marks = [Mark(*self.span(cue), TravelMode(cue.key)) for cue in said]
        return tuple(outermost(outside(marks, self.mentions)))

    @property
    def mode(self) -> TravelMode | None:
        """The first travel mode said."""
        return self.modes[0].value if self.modes else None

    def sentence_at(self, start: int) -> int:
        """The number of the sentence that a place in the text belongs to."""
        known = zip(self.tokens, self.sentence, strict=True)
        return next((number for token, number in known if token.end > start), 0)

    def between(self, start: int, end: int) -> str:
        """The text between two places, lower case."""
        return self.text[start:end].casefold()

    def word_before(self, start: int) -> str:
        """The word that ends before this place in the text, lower case; empty at the beginning."""
        before = [token.norm for token in self.tokens if token.end <= start]
        return before[-1] if before else ""

    def unexplained(self, used: Iterable[Span]) -> list[str]:
        """Content words that none of these spans covers and that are no mere glue."""
        spans = list(used)
        return [
            token.norm
            for token in self.tokens
            if token.is_word
            and token.norm not in glue()
            and not any(start <= token.start and token.end <= end for start, end in spans)
        ]

    def unmarked(self, token: Token) -> bool:
        """True if a word is no part of a name, a quantity, a time, a kind of place or a condition."""
        names = [item for item in self.mentions if item.strength >= SURE]
        marks: tuple[Mark[Any] | Mention, ...] = (
            *names, *self.kinds, *self.cuisines, *self.conditions, *self.winds,
            *self.durations, *self.distances, *self.clocks, *self.days,
        )  # fmt: skip
        return not any(mark.start <= token.start < mark.end for mark in marks)

    def content(self) -> int:
        """How many content words the question has."""
        return len(self.unexplained(()))

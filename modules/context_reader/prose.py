"""Sentences about places: whom each is about, what it tells of them, and the ways it tells of between them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from map_tools import concepts
from map_tools.text import normalise
from map_tools.types import TravelMode
from modules.context_reader.drafts import Cursor, Entry, PlaceDraft
from modules.context_reader.lines import Line
from modules.context_reader.pairs import mode_in
from modules.context_reader.travel import by_mode, findings, parse_travel, way
from modules.context_reader.values import NAME, is_days, put_values, without_whereabouts
from modules.context_reader.vocabulary import MAX_SENTENCE_CHARS, forms, words
from modules.query.values.things import HERE_ID as HERE

_SENTENCE = re.compile(
    r"(?:(?<=[\w:)’'★]{3}[.!?])|(?<= [akp]m\.))(?<!\btel\.)(?<!\bapprox\.)(?<!\bhrs\.)(?<!\bincl\.)(?<!\bmins\.)\s+"
)
_CLAUSE = re.compile(
    r"; |, (?:and |but )?| / |: | [–—-] | and (?=from\b|to\b|(?:an? |another |about )?[\w.]+[ -](?:min|hour|km|m\b))"
)
_NOUN = re.compile(r"\b(?:the|this|our|your) ((?:[a-z][\w'’-]* ){0,2}[a-z][\w'’-]+)", re.IGNORECASE)
_LABEL = re.compile(r"([^:.;]{1,60}?)(?::| [-=]>| →) +(?=\S)")
_COPULA = re.compile(
    r"(?: ?[,(:–—@-] ?| is | was | are )(?:(?:an?|the|our|your) )?([^,.;:()–—@]{3,60})", re.IGNORECASE
)
_KIND = re.compile(r" ([a-z]+(?: [a-z]+)?)")
_LISTED = re.compile(r" ?(?:[:,(–—]|-(?!>)|(?:is|has|opens)\b)")
_FROM = re.compile(r"\bfrom\b")
_ARTICLE = re.compile(r"^(?:the|our|your|my) ", re.IGNORECASE)
_TO = re.compile(r" (?:to|→|->|>) (?:the )?")
_NUMBER = re.compile(r" \d{1,3}(?= (?:is|has|opens|was)\b| ?[-–(,:;])")
_ROLES = ("origin", "goal", "beside")
_WRAPPED_CHARS = 40
"""A line shorter than this ends where its writer wanted it to end."""
_FALLBACK_CHARS = 60
"""So near the begin of a sentence even "In Hotel Aurora" is whom it is about."""

type _Found = tuple[int, int, str]
"""Where a place stands in a sentence, and its name."""


@dataclass(frozen=True, slots=True)
class _Mention:
    """A place in a sentence, and its part in it: "origin", "goal", "beside" or "subject"."""

    start: int
    end: int
    name: str
    role: str


@dataclass(slots=True)
class Prose:
    """Reads the sentences of a text one after the other.

    Attributes:
        known: Names the text gives to places, by their normalised form; more are added as they are met.
        entries: What was found.
        kinds: What kinds it says the places are of, by their names.
        home: Where the writer stands, as far as the text lets know.
        subject: The place the last sentence was about.
        titled: Whether the last line was nothing but its name.
    """

    known: dict[str, str] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    kinds: dict[str, set[str]] = field(default_factory=dict)
    home: str = ""
    subject: str = ""
    titled: bool = False

    def read(self, line: Line) -> bool:
        """Reads a line or paragraph; False if nothing of it is understood."""
        before = len(self.entries)
        text, kind = line.text, ""
        label = _LABEL.match(text)
        if label is not None and NAME.match(text, label.end()):
            kind, text = label[1], text[label.end() :]
        elif label is not None:
            text = f"{label[1]} – {text[label.end() :]}"
        if not (self.titled or forms().prose["pronoun"].match(text)):
            self.subject = ""
        self.titled = self._is_name(text, "", ":", listed=True) and text == text.rstrip(".:,;")
        for number, sentence in enumerate(_SENTENCE.split(text)):
            if len(sentence) <= MAX_SENTENCE_CHARS:
                self._sentence(sentence, line.raw, first=number == 0, kind="" if number else kind)
        return len(self.entries) > before

    def _sentence(self, text: str, raw: str, *, first: bool, kind: str) -> None:
        mentions = list(self._mentions(text, first=first))
        if not self.home and mentions and forms().prose["own"].search(text):
            self.home = mentions[0].name
        ways = list(self._ways(text, mentions, raw))
        subjects = [one for one in mentions if one.role == "subject"]
        if not subjects and not (self.subject and forms().prose["pronoun"].search(text)):
            near = [one for one in mentions if one.start < _FALLBACK_CHARS]
            subjects = sorted(near, key=lambda one: ("goal", "beside", "origin").index(one.role))[:1]
        for name, share, after in self._shares(text, subjects):
            draft = PlaceDraft(query=name, raw=[raw])
            told, beside = _COPULA.match(share, after), _KIND.match(share, after)
            for phrase in (beside[1] if beside else "", told[1] if told else "", kind):
                _put_kind(draft, phrase)
            kind = ""
            self.kinds.setdefault(name, set()).update(draft.values.get("categories", ()))
            put_values(draft, share)
            if not draft.empty:
                self.entries.append(draft)
            if not draft.empty or any(one.role == "subject" for one in subjects):
                self.subject = name
        self.entries += ways

    def _shares(self, text: str, subjects: list[_Mention]) -> Iterator[tuple[str, str, int]]:
        """The parts of a sentence by whom they are about, with where his name ends in each."""
        cuts = [one.start for one in subjects] + [len(text)]
        pronoun = forms().prose["pronoun"].search(text, 0, cuts[0])
        if self.subject and (pronoun or not subjects):
            yield self.subject, text[: cuts[0]], cuts[0]
        elif subjects:
            cuts[0] = 0
        for one, (begin, end) in zip(subjects, pairwise(cuts), strict=True):
            share = f"{text[begin : one.start]}{'\0' * (one.end - one.start)}{text[one.end : end]}"
            yield one.name, share, one.end - begin

    def _mentions(self, text: str, *, first: bool) -> Iterator[_Mention]:
        """The places a sentence names, by name or as "the castle", each with its part in the sentence."""
        masked = without_whereabouts(text)
        found = list(self._named(masked, listed=first))
        found += self._nouns(masked, found)
        before = _Mention(0, 0, "", "")
        for start, end, name in sorted(found):
            role = _role(text[:start], masked[before.end : start], before.role)
            if role == "subject" and normalise(name) not in self.known and start > len("The "):
                continue  # "round the clock"
            before = _Mention(start, end, name, role)
            yield before

    def _named(self, text: str, *, listed: bool) -> Iterator[_Found]:
        for match in NAME.finditer(text):
            start, name = _without_opener(match.start(), match.group().rstrip(".-'’&"))
            number = _NUMBER.match(text, start + len(name)) if name else None
            name += number.group() if number else ""
            end = start + len(name)
            if name and self._is_name(name, text[:start], text[end:], listed=listed):
                yield start, end, self.known.setdefault(normalise(name), name)

    def _nouns(self, text: str, named: list[_Found]) -> Iterator[_Found]:
        """Places meant by a noun; one beside a name is another name of it ("our house, Casa do Moinho")."""
        for match in _NOUN.finditer(text):
            beside = (
                name
                for begin, end, name in named
                if ", " in {text[match.end() : begin], text[end : match.start()]}
            )
            name = next(beside, None)
            if name is not None:
                self.known.setdefault(normalise(match[1]), name)
            elif not any(begin <= match.start(1) < end for begin, end, _ in named):
                meant = self._noun(match[1])
                if meant is not None:
                    yield match.start(1), match.start(1) + len(meant[1]), meant[0]

    def _is_name(self, name: str, before: str, after: str, *, listed: bool) -> bool:
        """True for a known name, for one of several words or of a kind, and for one a line begins with."""
        folded = normalise(name)
        if folded in self.known:
            return True
        if is_days(name) or (" " not in name and (len(name) < 3 or name.isupper())):
            return False
        aimed = any(forms().prose[role].search(before) for role in ("origin", "goal"))
        begins = listed and not before.strip(" \"'“-–•>") and _LISTED.match(after) is not None
        return " " in name or begins or aimed or bool(concepts.find_in(name))

    def _noun(self, phrase: str) -> tuple[str, str] | None:
        """The place that "the ferry terminal" means, and the words of the phrase that mean it."""
        parts = phrase.split()
        for count in range(len(parts), 0, -1):
            noun = " ".join(parts[:count]).removesuffix("'s").removesuffix("’s")
            folded, kind = set(normalise(noun).split()), concepts.lookup(noun)
            for key, name in reversed(self.known.items()):
                if folded <= set(key.split()):
                    return name, noun
            if kind is None:
                continue
            for name in reversed(self.known.values()):
                told = self.kinds.get(name, set()).union(*(span.value.ids for span in concepts.find_in(name)))
                if kind.id in told:
                    return name, noun
            return noun, noun
        return None

    def _meant(self, words_: str) -> str:
        """The place that the words of a way mean ("house to Salt Museum")."""
        bare = _ARTICLE.sub("", words_)
        meant = self._noun(bare) if bare.islower() else None
        return meant[0] if meant and meant[1] == bare else self.known.get(normalise(bare), bare)

    def _ways(self, text: str, mentions: list[_Mention], raw: str) -> Iterator[Entry]:
        """The ways a sentence tells of, clause by clause; what one leaves out is as in the clause before it."""
        origin = goal = first = ""
        mode: TravelMode | None = None
        about = next((one.name for one in mentions if one.role == "subject"), self.subject)
        cuts = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
        for begin, end in pairwise(cuts):
            clause = text[begin:end]
            here = [one for one in mentions if begin <= one.start < end]
            bare = clause.strip(" .;")
            led = mode is not None
            whole = None if _FROM.search(bare) else parse_travel(bare, frozenset(self.known), led=led)
            if whole is not None:
                first, last = self._meant(whole.origin), self._meant(whole.destination)
                yield from findings(replace(whole, origin=first, destination=last), raw, mode)
                continue
            parts = {role: [one.name for one in here if one.role == role] for role in (*_ROLES, "subject")}
            if parts["goal"] and not parts["origin"]:
                parts["origin"] = [
                    a.name
                    for a, b in pairwise(here)
                    if b.role == "goal" and _TO.fullmatch(text, a.end, b.start)
                ]
            origin = (parts["origin"] or [origin])[-1]
            others = [name for name in parts["goal"] or parts["subject"] or parts["beside"] if name != origin]
            goal = next(
                (one for one in (*others[-1:], goal, about, self.subject) if one and one != origin), ""
            )
            told = [(each, measures) for each, measures in by_mode(clause, None) if measures]
            away = forms().prose["here"].search(clause) is not None
            mode = mode_in(clause) or mode
            if not told or forms().straight.search(clause):
                continue
            first = (self.home or HERE) if away or not origin else origin
            for each, measures in told:
                known = each or mode
                placed = bool(away or parts["origin"] or parts["goal"])
                if goal and first != goal and (known if measures.duration_s is not None else placed):
                    yield way(first, goal, known, measures, raw)


def _role(before: str, between: str, last: str) -> str:
    """The part that a place has in its sentence, by the words before it and since the last one."""
    role = next((role for role in _ROLES if forms().prose[role].search(before)), "subject")
    if last == "origin" and between.strip() in {"and", "and the", "&"}:
        return "goal"  # between this and that
    if role == "subject" and (between.endswith("\0, ") or (last == "beside" and between == ", ")):
        return "beside"  # the town after a street
    return role


def _without_opener(start: int, name: str) -> tuple[int, str]:
    """A run of capitalised words without the words that only begin the sentence ("From Hotel Aurora")."""
    head, space, rest = name.partition(" ")
    if normalise(head) in words().small:
        return _without_opener(start + len(head) + len(space), rest) if rest else (start, "")
    return start, name


def _put_kind(draft: PlaceDraft, phrase: str) -> None:
    """Notes the kind that a phrase ends in: "small hotel", "hands down the best bbq restaurant"."""
    head = forms().prose["kind_end"].split(phrase, maxsplit=1)[0]
    found = sorted(concepts.find_in(head), key=lambda span: span.end)
    if found and mode_in(head) is None and "categories" not in draft.values:
        draft.put("categories", found[-1].value.ids)
        draft.attributes.setdefault("types", head.strip())


def read_prose(cursor: Cursor, known: dict[str, str]) -> list[Line]:
    """Reads the lines that are no list, block or table; returns those of which nothing is understood."""
    prose = Prose(known)
    left: list[Line] = []
    for lines in _paragraphs(cursor.misses):
        first = lines[0]
        text, raw = " ".join(line.text for line in lines), "\n".join(line.raw for line in lines)
        if not prose.read(replace(first, raw=raw, text=text)):
            left += lines
    cursor.entries += prose.entries
    return left


def _paragraphs(lines: list[Line]) -> Iterator[list[Line]]:
    """Lines that were one before they were wrapped."""
    group: list[Line] = []
    for line in lines:
        text = group[-1].text if group else ""
        headed = line.raw.startswith("#") or (group and group[-1].raw.startswith("#"))
        apart = headed or not line.plain or line.blank_before
        if group and (apart or len(text) < _WRAPPED_CHARS or text[-1] in ".!?:;"):
            yield group
            group = []
        group.append(line)
    if group:
        yield group

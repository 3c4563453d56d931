"""Finds the names of places in a question, and the part each of them plays.

Capitals, quotes and the map's own names are the best evidence; without them a name is what stands where a
name must stand: after "from", "near", "at", between known words. `Mention.parts` keeps the reading as a list
("A and B"), so that each grammar can decide whether it needs one place or several.
"""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mapagent.ports import NameHints
from modules.offline.labels import Label, label
from modules.offline.lexicon import word_set
from modules.offline.marks import Mention
from modules.offline.prefixes import name_start
from modules.offline.qualifiers import qualify
from modules.offline.roles import role_before

if TYPE_CHECKING:
    from modules.offline.analysis import Analysis

_QUOTED = re.compile(r'"([^"]{2,80})"|(?<!\w)\'([^\']{2,80})\'(?!\w)')
_MATERIAL = frozenset({Label.NAME, Label.WORD, Label.KIND, Label.SOFT, Label.NUMBER})
_STRENGTH = {Label.NAME: 0.9, Label.WORD: 0.5, Label.NUMBER: 0.4, Label.KIND: 0.3}
_KNOWN = 0.9
"""A wording the map scores at least this high is a name."""
_SURE = 0.7
_NUMBERED = frozenset({"from", "to", "between"})
"""Roles in which a bare number may be a name ("from 10 to 14th St")."""
_MAX_LINKERS = 3
_CHOICE = frozenset({"or", "vs", "versus", ">", "->"})
"""Separators that stand in no name."""


@dataclass(slots=True)
class _Run:
    """Tokens `first` to `last` (exclusive) that may form a name; `cuts` are the separators inside."""

    first: int
    last: int
    cuts: list[tuple[int, int]]


def find_mentions(analysis: "Analysis", names: NameHints | None = None) -> tuple[Mention, ...]:
    """The mentions of places in the order of the text."""
    labels = label(analysis)
    quoted = _quoted(analysis, labels)
    found: list[tuple[_Run, Mention]] = []
    for run in _runs(analysis, labels):
        found += _mentions_of(analysis, labels, run, names)
    mentions = [mention for _, mention in sorted(found + quoted, key=lambda pair: pair[1].start)]
    return tuple(qualify(analysis, _credible(mentions)))


def _credible(mentions: list[Mention]) -> list[Mention]:
    """Without unknown words that play no part, where better names are at hand."""
    mentions = [_resolved(mention, mentions) for mention in mentions]
    if not any(mention.strength >= _SURE for mention in mentions):
        return mentions
    return [mention for mention in mentions if mention.strength >= _SURE or mention.role != "subject"]


def _resolved(mention: Mention, mentions: list[Mention]) -> Mention:
    """The name meant by a kind alone: "the castle" after "Dublin Castle" is that castle."""
    if mention.strength > _STRENGTH[Label.KIND] or mention.role == "target":
        return mention
    word = mention.text.casefold()
    for other in mentions:
        if other.end <= mention.start and other.strength >= _SURE and word in other.text.casefold().split():
            return replace(mention, text=other.text, qualifier=other.qualifier, strength=other.strength)
    return mention


def _quoted(analysis: "Analysis", labels: list[Label]) -> list[tuple[_Run, Mention]]:
    """Quoted names; their words are taken out of the labels."""
    found: list[tuple[_Run, Mention]] = []
    for match in _QUOTED.finditer(analysis.text):
        inside = [
            i
            for i, token in enumerate(analysis.tokens)
            if match.start() <= token.start and token.end <= match.end()
        ]
        if not inside:
            continue
        first, last = inside[0], inside[-1] + 1
        role = role_before(analysis, first)
        for index in inside:
            labels[index] = Label.OTHER
        text = (match[1] or match[2]).strip()
        found.append((_Run(first, last, []), Mention(match.start(), match.end(), text, role, 1.0)))
    return found


def _runs(analysis: "Analysis", labels: list[Label]) -> list[_Run]:
    """Maximal runs of words that can form a name or a list of names."""
    runs: list[_Run] = []
    index = 0
    while index < len(labels):
        if labels[index] not in _MATERIAL:
            index += 1
            continue
        run = _Run(name_start(analysis, labels, index, runs[-1].last if runs else 0), index + 1, [])
        while (step := _next(analysis, labels, run)) is not None:
            run.last = step
        if any(labels[i] is not Label.SOFT for i in range(run.first, run.last) if labels[i] in _MATERIAL):
            runs.append(run)
        index = run.last
    return runs


def _next(analysis: "Analysis", labels: list[Label], run: _Run) -> int | None:
    """The new end of the run if it goes on, else None."""
    tokens, last = analysis.tokens, run.last
    index, cut = last, None
    while index < len(tokens) and labels[index] not in _MATERIAL and index - last < _MAX_LINKERS:
        word = tokens[index].norm
        if tokens[index].initial:
            return None
        if word in word_set("separator"):
            cut = cut or index
        elif word not in word_set("link") and not (
            cut is not None and word in {"the", "a", "an", "to", "from"} and labels[index] is Label.OTHER
        ):
            return None
        index += 1
    if index >= len(tokens) or labels[index] not in _MATERIAL or tokens[index].initial:
        return None
    if not _joins(analysis, labels, run, index, cut):
        return None
    if cut is not None:
        run.cuts.append((cut, index))
    return index + 1


def _joins(analysis: "Analysis", labels: list[Label], run: _Run, index: int, cut: int | None) -> bool:
    """Whether the word at `index` carries the run on over what lies between."""
    tokens = analysis.tokens
    before, here = labels[run.last - 1], labels[index]
    strong = Label.NAME in labels[run.first : run.last]
    gap = [token.norm for token in tokens[run.last : index]]
    if cut is not None:
        if "," in gap:
            return here is Label.NAME or (not strong and here is Label.WORD)
        return here is Label.NAME or not strong or "the" in gap
    if before is Label.KIND and _plural(tokens[run.last - 1].norm) and tokens[run.last - 1].text.islower():
        return here is Label.KIND and not gap
    if here is Label.KIND and _plural(tokens[index].norm) and tokens[index].text.islower() and strong:
        return role_before(analysis, run.first) != "target"
    if not gap:
        return True
    if not strong and role_before(analysis, run.first) == "target":
        return False
    if gap in (["'s"], ["'"]):
        return here is not Label.SOFT
    if strong:
        return here is Label.NAME or (here is Label.NUMBER and gap[0] in {"-", "."})
    return gap[0] in word_set("link", "inner") and before is not Label.SOFT


def _plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us"))


def _mentions_of(
    analysis: "Analysis", labels: list[Label], run: _Run, names: NameHints | None
) -> list[tuple[_Run, Mention]]:
    """The mention a run makes, with its parts; a run that begins with the kind looked for is a target."""
    run = _trimmed(analysis, labels, run)
    if run.last <= run.first:
        return []
    whole = _mention(analysis, labels, run.first, run.last)
    if whole is None:
        return []
    whole = replace(whole, role=role_before(analysis, run.first))
    parts = _parts(analysis, labels, run)
    if _is_list(analysis, run, whole, parts, names):
        whole = replace(whole, parts=parts)
    numbered = whole.role in _NUMBERED or analysis.has("ask.how_far", "ask.straight")
    if whole.strength == _STRENGTH[Label.NUMBER] and not numbered:
        return []
    if whole.strength == _STRENGTH[Label.NUMBER]:
        whole = replace(whole, strength=_SURE)
    if not _is_known(names, whole) and _is_own(analysis, labels, run):
        return []
    if (cut := _terse_cut(analysis, labels, run)) is not None:
        return _terse(analysis, labels, run, cut)
    kind_only = all(labels[i] in {Label.KIND, Label.SOFT, Label.OTHER} for i in range(run.first, run.last))
    looked_for = kind_only and _before_superlative(analysis, run)
    if _is_known(names, whole) and whole.role != "target" and not looked_for:
        return [(run, replace(whole, strength=max(whole.strength, _SURE)))]
    if kind_only and whole.role not in {"target", "self"} and not _pointed_at(analysis, run):
        whole = replace(whole, role="target")
    return [(run, whole)]


def _parts(analysis: "Analysis", labels: list[Label], run: _Run) -> tuple[Mention, ...]:
    """The names a run falls into at its separators."""
    bounds = [run.first, *[edge for cut in run.cuts for edge in cut], run.last]
    pairs = zip(bounds[::2], bounds[1::2], strict=True)
    return tuple(part for low, high in pairs if (part := _mention(analysis, labels, low, high)) is not None)


def _is_list(
    analysis: "Analysis", run: _Run, whole: Mention, parts: tuple[Mention, ...], names: NameHints | None
) -> bool:
    """True if a run with separators is several names, not one ("Shakespeare and Company", "X, Paris").

    "or" and "vs" hold no name together; nor do two separators and "and" between names the map all knows.
    """
    if not run.cuts:
        return False
    between = {token.norm for low, high in run.cuts for token in analysis.tokens[low:high]}
    if between & _CHOICE or names is None or not _is_known(names, whole):
        return True
    return len(run.cuts) > 1 and "and" in between and all(_is_known(names, part) for part in parts)


def _is_known(names: NameHints | None, mention: Mention) -> bool:
    """True if the map has a place of this name; a single kind ("museum") is never taken for one."""
    return names is not None and " " in mention.text and names.score(mention.text) >= _KNOWN


def _is_own(analysis: "Analysis", labels: list[Label], run: _Run) -> bool:
    """True for "my hotel", "our hostel": the stated position, not a name."""
    own = run.first > 0 and analysis.tokens[run.first - 1].norm in {"my", "our"}
    return own and all(labels[i] in {Label.KIND, Label.SOFT} for i in range(run.first, run.last))


def _trimmed(analysis: "Analysis", labels: list[Label], run: _Run) -> _Run:
    """Without common words at the end of a run, and at its start where no name follows them directly."""
    inside = [cue.last for cue in analysis.find("role") if cue.first < run.first < cue.last < run.last]
    first, last = max([run.first, *inside]), run.last
    cuts = [cut for cut in run.cuts if cut[0] > first]
    while last > first and _is_loose(analysis, labels, last - 1) and analysis.tokens[last - 1].text.islower():
        last -= 1
        while cuts and cuts[-1][1] >= last:
            last = min(last, cuts.pop()[0])
    return _Run(first, last, cuts)


def _is_loose(analysis: "Analysis", labels: list[Label], index: int) -> bool:
    """True for a common word that ends no name ("old"), unlike "house" or "centre"."""
    ends_names = analysis.tokens[index].norm in word_set("soft", "last")
    return labels[index] is Label.OTHER or (labels[index] is Label.SOFT and not ends_names)


def _mention(analysis: "Analysis", labels: list[Label], first: int, last: int) -> Mention | None:
    tokens = analysis.tokens
    while first < last and tokens[first].norm == "the" and tokens[first].text.islower():
        first += 1
    if first >= last:
        return None
    strength = max((_STRENGTH.get(labels[i], 0.0) for i in range(first, last)), default=0.0)
    start, end = tokens[first].start, tokens[last - 1].end
    if last < len(tokens) and tokens[last].norm == "'s" and not _owns(analysis, last):
        end = tokens[last].end
    text = " ".join(analysis.text[start:end].split())
    return Mention(start, end, text, strength=strength) if strength else None


def _owns(analysis: "Analysis", index: int) -> bool:
    """True if the "'s" at `index` is a possessive before something asked for ("X's phone number")."""
    after = index + 1
    if after >= len(analysis.tokens) or not analysis.tokens[after].is_word:
        return False
    asked = analysis.find("attribute", "other", "sup")
    timed = analysis.tokens[after].norm in {
        "opening",
        "closing",
        "business",
        "open",
        "working",
    } and after + 1 < len(analysis.tokens)
    timed = timed and analysis.tokens[after + 1].norm in {"hours", "hour", "times", "time"}
    return timed or any(cue.first <= after < cue.last or cue.first == after + 1 for cue in asked)


def _pointed_at(analysis: "Analysis", run: _Run) -> bool:
    """True for "the cathedral", "this museum": a place everybody knows, not one that is looked for."""
    before = analysis.tokens[run.first - 1].norm if run.first else ""
    singular = not _plural(analysis.tokens[run.last - 1].norm)
    searched = _before_superlative(analysis, run) or _located(analysis, run)
    return before in {"the", "this", "that"} and singular and not searched


def _before_superlative(analysis: "Analysis", run: _Run) -> bool:
    """True for "the tourist office nearest to X"."""
    return any(cue.first == run.last for cue in analysis.find("sup"))


def _located(analysis: "Analysis", run: _Run) -> bool:
    """True for "the hospital in Vaduz": the one of its kind there, whatever its name."""
    tokens = analysis.tokens
    after = run.last + 1 + (run.last + 1 < len(tokens) and tokens[run.last + 1].norm == "the")
    within = run.last < len(tokens) and tokens[run.last].norm in word_set("located")
    return within and after < len(tokens) and tokens[after].capital


def _terse_cut(analysis: "Analysis", labels: list[Label], run: _Run) -> int | None:
    """Where the place begins in a few words without any grammar ("dentist andorra la vella"), else None."""
    tokens = analysis.tokens
    cut = run.first
    while cut < run.last and labels[cut] is Label.KIND:
        cut += 1
    whole = run.first == 0 and run.last >= len(tokens) - 1 and not run.cuts
    names_place = cut < run.last and labels[cut] in {Label.NAME, Label.WORD}
    plain = tokens[0].text.islower() or not tokens[min(cut, run.last - 1)].text.islower()
    return cut if whole and run.first < cut and names_place and plain else None


def _terse(analysis: "Analysis", labels: list[Label], run: _Run, cut: int) -> list[tuple[_Run, Mention]]:
    kind, place = _mention(analysis, labels, run.first, cut), _mention(analysis, labels, cut, run.last)
    found = [] if kind is None else [(_Run(run.first, cut, []), replace(kind, role="target"))]
    return found if place is None else [*found, (_Run(cut, run.last, []), replace(place, role="near"))]

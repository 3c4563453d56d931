"""Finds the names of places in a question, and the part each of them plays.

Capitals, quotes and the map's own names are the best evidence; without them a name is what stands where a
name must stand: after "from", "near", "at", between known words. `Mention.parts` keeps the reading as a list
("A and B"), so that each grammar can decide whether it needs one place or several.
"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from mapagent.ports import NameHints
from modules.offline.labels import Label, label
from modules.offline.lexicon import word_set
from modules.offline.marks import Mention
from modules.offline.qualifiers import qualify
from modules.offline.roles import role_before
from modules.offline.runs import Run, is_plural, runs_of

if TYPE_CHECKING:
    from modules.offline.analysis import Analysis

_QUOTED = re.compile(r'"([^"]{2,80})"|(?<!\w)\'([^\']{2,80})\'(?!\w)')
_STRENGTH = {Label.NAME: 0.9, Label.WORD: 0.5, Label.NUMBER: 0.4, Label.KIND: 0.3}
_KNOWN = 0.9
"""A wording the map scores at least this high is a name."""
_EXACT = 0.97
"""A single word without a capital is a name only if the map knows exactly it."""
_SURE = 0.7
_NUMBERED = frozenset({"from", "to", "between"})
"""Roles in which a bare number may be a name ("from 10 to 14th St")."""
_CHOICE = frozenset({"or", "vs", "versus", ">", "->"})
"""Separators that stand in no name."""
_DECIMAL = re.compile(r"\d+[.,]\d+")
"""A measure such as a rating, which is no name ("equal to 4.4")."""


def find_mentions(analysis: "Analysis", names: NameHints | None = None) -> tuple[Mention, ...]:
    """The mentions of places in the order of the text."""
    labels = label(analysis)
    quoted = _quoted(analysis, labels)
    found: list[tuple[Run, Mention]] = []
    for run in runs_of(analysis, labels):
        found += _mentions_of(analysis, labels, run, names)
    mentions = [mention for _, mention in sorted(found + quoted, key=lambda pair: pair[1].start)]
    return tuple(qualify(analysis, _credible(mentions)))


def _credible(mentions: list[Mention]) -> list[Mention]:
    """Without unknown words that play no part, where better names are at hand."""
    mentions = [
        _resolved(mention, mentions) for mention in mentions if _DECIMAL.fullmatch(mention.text) is None
    ]
    if not any(mention.strength >= _SURE for mention in mentions):
        return mentions
    return [mention for mention in mentions if mention.strength >= _SURE or mention.role != "subject"]


def _resolved(mention: Mention, mentions: list[Mention]) -> Mention:
    """The name meant by a kind alone: "the castle" after "Raven Castle" is that castle."""
    if mention.strength > _STRENGTH[Label.KIND] or mention.role == "target":
        return mention
    word = mention.text.casefold()
    for other in mentions:
        if other.end <= mention.start and other.strength >= _SURE and word in other.text.casefold().split():
            return replace(mention, text=other.text, qualifier=other.qualifier, strength=other.strength)
    return mention


def _quoted(analysis: "Analysis", labels: list[Label]) -> list[tuple[Run, Mention]]:
    """Quoted names; their words are taken out of the labels."""
    found: list[tuple[Run, Mention]] = []
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
        found.append((Run(first, last, []), Mention(match.start(), match.end(), text, role, 1.0)))
    return found


def _mentions_of(
    analysis: "Analysis", labels: list[Label], run: Run, names: NameHints | None
) -> list[tuple[Run, Mention]]:
    """The mention a run makes, with its parts; a run that begins with the kind looked for is a target."""
    run = _trimmed(analysis, labels, run)
    if run.last <= run.first:
        return []
    whole = _mention(analysis, labels, run.first, run.last)
    if whole is None:
        return []
    whole = replace(whole, role=_role(analysis, run))
    parts = _parts(analysis, labels, run)
    if _is_list(analysis, run, whole, parts, names):
        whole = replace(whole, parts=parts)
    asked = analysis.has("ask.how_far", "ask.straight") and whole.role != "than"  # "more than 2100 reviews"
    numbered = whole.role in _NUMBERED or asked
    if whole.strength == _STRENGTH[Label.NUMBER] and not numbered:
        return []
    if whole.strength == _STRENGTH[Label.NUMBER]:
        whole = replace(whole, strength=_SURE)
    if not _is_known(names, whole) and _is_own(analysis, labels, run):
        return []
    if (cut := _terse_cut(analysis, labels, run)) is not None:
        return _terse(analysis, labels, run, cut)
    return [(run, _settled(analysis, labels, run, whole, names))]


def _role(analysis: "Analysis", run: Run) -> str:
    """The role by the words before a run, unless those behind it tell where the speaker is."""
    role = role_before(analysis, run.first)
    stated = any(cue.first == run.last for cue in analysis.find("here.behind"))
    return "self" if role == "subject" and stated else role


def _settled(
    analysis: "Analysis", labels: list[Label], run: Run, whole: Mention, names: NameHints | None
) -> Mention:
    """The mention as a name the map knows, or as a kind that is looked for, where it is one of these."""
    kind_only = all(labels[i] in {Label.KIND, Label.SOFT, Label.OTHER} for i in range(run.first, run.last))
    looked_for = kind_only and _before_superlative(analysis, run)
    if _is_known(names, whole) and whole.role != "target" and not looked_for:
        return replace(whole, strength=max(whole.strength, _SURE))
    single = labels[run.first : run.last] == [Label.WORD]
    if single and names is not None and names.score(whole.text) >= _EXACT:
        return replace(whole, strength=_SURE)
    if kind_only and whole.role not in {"target", "self"} and not _pointed_at(analysis, run):
        return replace(whole, role="target")
    return whole


def _parts(analysis: "Analysis", labels: list[Label], run: Run) -> tuple[Mention, ...]:
    """The names a run falls into at its separators."""
    bounds = [run.first, *[edge for cut in run.cuts for edge in cut], run.last]
    pairs = zip(bounds[::2], bounds[1::2], strict=True)
    return tuple(part for low, high in pairs if (part := _mention(analysis, labels, low, high)) is not None)


def _is_list(
    analysis: "Analysis", run: Run, whole: Mention, parts: tuple[Mention, ...], names: NameHints | None
) -> bool:
    """True if a run with separators is several names, not one ("Shakespeare and Company", "X, Paris").

    "or" and "vs" hold no name together; nor do two separators and "and" between names the map all knows, nor
    "and" between names it knows better than the whole ("Salt & Smoke and Lighthouse Museum").
    """
    if not run.cuts:
        return False
    between = {token.norm for low, high in run.cuts for token in analysis.tokens[low:high]}
    if between & _CHOICE or names is None or not _is_known(names, whole):
        return True
    if "and" not in between or not parts:
        return False
    least = min(names.score(part.text) for part in parts)
    return least > names.score(whole.text) or (len(run.cuts) > 1 and least >= _KNOWN)


def _is_known(names: NameHints | None, mention: Mention) -> bool:
    """True if the map has a place of this name; a single kind ("museum") is never taken for one."""
    return names is not None and " " in mention.text and names.score(mention.text) >= _KNOWN


def _is_own(analysis: "Analysis", labels: list[Label], run: Run) -> bool:
    """True for "my hotel", "our hostel": the stated position, not a name."""
    own = run.first > 0 and analysis.tokens[run.first - 1].norm in {"my", "our"}
    return own and all(labels[i] in {Label.KIND, Label.SOFT} for i in range(run.first, run.last))


def _trimmed(analysis: "Analysis", labels: list[Label], run: Run) -> Run:
    """Without common words at the end of a run, and at its start where no name follows them directly."""
    inside = [cue.last for cue in analysis.find("role") if cue.first < run.first < cue.last < run.last]
    first, last = max([run.first, *inside]), run.last
    cuts = [cut for cut in run.cuts if cut[0] > first]
    if cuts and _is_listing_kind(analysis, labels, first, cuts[0][0]):
        first, cuts = cuts[0][1], cuts[1:]
    while last > first and _is_loose(analysis, labels, last - 1) and analysis.tokens[last - 1].text.islower():
        last -= 1
        while cuts and cuts[-1][1] >= last:
            last = min(last, cuts.pop()[0])
    return Run(first, last, cuts)


def _is_listing_kind(analysis: "Analysis", labels: list[Label], first: int, last: int) -> bool:
    """True for "restaurants" in "which has more restaurants, X or Y": a kind before a list of names."""
    words = analysis.tokens[first:last]
    plain = all(label is Label.KIND for label in labels[first:last]) and words[-1].text.islower()
    return bool(words) and plain and is_plural(words[-1].norm)


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


def _pointed_at(analysis: "Analysis", run: Run) -> bool:
    """True for "the cathedral", "this museum": a place everybody knows, not one that is looked for."""
    before = analysis.tokens[run.first - 1].norm if run.first else ""
    singular = not is_plural(analysis.tokens[run.last - 1].norm)
    searched = _before_superlative(analysis, run) or _located(analysis, run)
    return before in {"the", "this", "that"} and singular and not searched


def _before_superlative(analysis: "Analysis", run: Run) -> bool:
    """True for "the tourist office nearest to X"."""
    return any(cue.first == run.last for cue in analysis.find("sup"))


def _located(analysis: "Analysis", run: Run) -> bool:
    """True for "the hospital in Vaduz": the one of its kind there, whatever its name."""
    tokens = analysis.tokens
    after = run.last + 1 + (run.last + 1 < len(tokens) and tokens[run.last + 1].norm == "the")
    within = run.last < len(tokens) and tokens[run.last].norm in word_set("located")
    return within and after < len(tokens) and tokens[after].capital


def _terse_cut(analysis: "Analysis", labels: list[Label], run: Run) -> int | None:
    """Where the place begins in a few words without any grammar ("dentist andorra la vella"), else None."""
    tokens = analysis.tokens
    cut = run.first
    while cut < run.last and labels[cut] is Label.KIND:
        cut += 1
    whole = run.first == 0 and run.last >= len(tokens) - 1 and not run.cuts
    names_place = cut < run.last and labels[cut] in {Label.NAME, Label.WORD}
    plain = tokens[0].text.islower() or not tokens[min(cut, run.last - 1)].text.islower()
    return cut if whole and run.first < cut and names_place and plain else None


def _terse(analysis: "Analysis", labels: list[Label], run: Run, cut: int) -> list[tuple[Run, Mention]]:
    kind, place = _mention(analysis, labels, run.first, cut), _mention(analysis, labels, cut, run.last)
    found = [] if kind is None else [(Run(run.first, cut, []), replace(kind, role="target"))]
    return found if place is None else [*found, (Run(cut, run.last, []), replace(place, role="near"))]

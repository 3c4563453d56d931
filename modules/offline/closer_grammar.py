"""Questions that name the places compared by distance: "Which is closer to X, A or B?"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from modules.offline.analysis import Analysis
from modules.offline.geometry_grammar import beyond
from modules.offline.intents import CloserIntent, Compare
from modules.offline.marks import SURE, Mention
from modules.offline.ranking import ranking
from modules.offline.reading import Reading, score
from modules.offline.slots import explained, joined, listed

_EXPLAINED = ("ask", "comp", "sup", "mode", "condition")
_YES_NO = frozenset({"is", "are", "does", "do", "whether", "if"})
_ANCHOR_ROLES = frozenset({"to", "from", "near", "of", "than", "self"})
_THAN_TO = re.compile(r"\bthan (?:to|from)\b", re.I)
_LEADING = frozenset({"away", "to", "from", "near", "the", "out", "by", "of"})
"""Words that may stand between "closer" and the place the distances are measured from."""


def read(analysis: Analysis) -> list[Reading]:
    """Readings as a choice among named places by their distance."""
    near, far = analysis.has("comp.closer", "sup.nearest"), analysis.has("comp.farther", "sup.farthest")
    limited = analysis.distances and not analysis.has("sup")  # "no farther than 500 m" compares no places
    if not (near or far) or beyond(analysis) or limited:
        return []
    anchor, candidates = _than_another(analysis) or _anchor_and_candidates(analysis)
    seeks = any(item is not anchor for item in analysis.by_role("target"))
    if seeks and not analysis.has("comp") and not joined(analysis, candidates):
        candidates = []
    from_options = bool(analysis.options) and (analysis.has("ask.which_of", "comp") or _is_terse(analysis))
    if len(candidates) < 2 and (not from_options or seeks):
        return []
    if anchor is None and not analysis.refers_here:
        return []
    intent = CloserIntent(
        anchor=anchor.place if anchor else analysis.here_place,
        candidates=tuple(item.place for item in candidates) if len(candidates) >= 2 else (),
        pick=Compare.MIN if near else Compare.MAX,
        k=ranking(analysis).k,
        measure=_measure(analysis),
        mode=analysis.mode,
        claim=_claim(analysis, candidates),
    )
    named = [*candidates, *([anchor] if anchor else [])]
    cue = 0.96 if analysis.has("comp") or candidates else 0.8
    cue -= 0.06 * sum(item.strength < 0.5 for item in named)
    used = explained(analysis, *_EXPLAINED, mentions=[*named, *analysis.by_role("target", "in")])
    used += [(mark.start, mark.end) for mark in analysis.distances]
    return [Reading(intent, score(analysis, max(cue, 0.0), used))]


def _is_terse(analysis: Analysis) -> bool:
    """True for "closest to X?": the options are the places, as no kind of place is looked for."""
    return analysis.option_kind == "text" and not (analysis.kinds or analysis.has("need"))


def _anchor_and_candidates(analysis: Analysis) -> tuple[Mention | None, list[Mention]]:
    """What the distances are measured from, and the places compared.

    "closer to X, A or B", "nearest to X: A, B or C", "of A, B and C, which is nearest X", "is A or B closer
    to X"; in "is X closer to A or B" it is X.
    """
    lead = _after_cue(analysis)
    if lead is None:
        return _by_role(analysis)
    others = [item for item in analysis.places if item is not lead and item.role != "self"]
    candidates = listed(others)
    parts = [*_dashed(lead.parts[0]), *lead.parts[1:]] if lead.parts else []
    if not parts or (len(candidates) >= 2 and joined(analysis, candidates)):
        return lead, candidates
    if len(parts) == 2 and not _apart(analysis, parts):
        return (candidates[0] if candidates else analysis.here), parts
    return parts[0], [*parts[1:], *candidates]


def _than_another(analysis: Analysis) -> tuple[Mention, list[Mention]] | None:
    """Of "is A closer to B than to C": A, and B with C."""
    found = _THAN_TO.search(analysis.text)
    lead = _after_cue(analysis)
    if found is None or lead is None:
        return None
    before = [item for item in analysis.places if item.end <= lead.start and not item.parts]
    after = [item for item in analysis.places if item.start >= found.end()]
    return (before[-1], [lead, after[0]]) if before and after else None


def _claim(analysis: Analysis, candidates: Sequence[Mention]) -> str | None:
    """The place said to be the one: A in "is A closer to X than B?"."""
    asked = analysis.option_kind in {"none", "yes_no"} and analysis.starts & _YES_NO
    compared = bool(analysis.by_role("than")) or _THAN_TO.search(analysis.text) is not None
    return candidates[0].place if asked and compared and len(candidates) == 2 else None


def _after_cue(analysis: Analysis) -> Mention | None:
    """The place that directly follows "closer to", "nearest", "farthest from"."""
    named = [item for item in analysis.mentions if item.role not in {"target", "qualifier", "without"}]
    named += [item for item in analysis.by_role("target") if item.strength >= SURE]
    for cue in analysis.find("comp", "sup.nearest", "sup.farthest"):
        end = analysis.span(cue)[1]
        for item in named:
            if item.start >= end and set(analysis.between(end, item.start).split()) <= _LEADING:
                return item
    return None


def _by_role(analysis: Analysis) -> tuple[Mention | None, list[Mention]]:
    anchors = [item for item in analysis.places if item.role in _ANCHOR_ROLES]
    anchors.sort(key=lambda item: bool(item.parts))
    anchor = anchors[0] if anchors and not anchors[0].parts else None
    others = [item for item in analysis.places if item is not anchor and item.role != "self"]
    return anchor, listed(others)


def _apart(analysis: Analysis, parts: Sequence[Mention]) -> bool:
    """True if a comma or colon, but no "or", stands between two names."""
    return re.search(r"\bor\b|\bvs\b|/", analysis.between(parts[0].end, parts[1].start)) is None


def _dashed(mention: Mention) -> list[Mention]:
    """The names before and after a dash ("closer to X - A or B")."""
    texts = [text.strip() for text in mention.text.split(" - ")]
    return [replace(mention, text=text, qualifier="") for text in texts[:-1]] + [
        replace(mention, text=texts[-1])
    ]


def _measure(analysis: Analysis) -> str:
    if analysis.has("ask.how_long", "sup.quickest", "ask.what_time") or any(
        t.norm in {"faster", "quicker", "sooner"} for t in analysis.tokens
    ):
        return "duration"
    return "distance" if analysis.modes and not analysis.has("ask.straight") else "straight"

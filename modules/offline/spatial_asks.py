"""What a question wants to know of its target."""

from dataclasses import dataclass
from typing import Literal

from modules.offline.lexicon import Cue
from modules.offline.spatial_layout import Layout
from modules.offline.spatial_sides import winds_offered
from modules.offline.spatial_words import Stretch, Words, overlaps, word_list

Ask = Literal["name", "names", "location", "direction", "count", "distance", "area", "length", "fact"]
Pick = Literal["any", "nearest", "farthest", "largest", "smallest", "longest", "shortest"]

_SIZES: frozenset[Pick] = frozenset({"largest", "smallest", "longest", "shortest"})
_ORDINALS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5}
_NUMBERS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
_BY_MEASURE = ("distance", "direction", "location")


@dataclass(frozen=True, slots=True)
class Asked:
    """What is wanted: see `SpatialIntent`; `words` are those that say so."""

    ask: Ask
    pick: Pick
    k: int = 1
    n: int | None = None
    fact: str = ""


def asked(words: Words, layout: Layout) -> Asked:
    """Reads what is wanted from the words that have no other part."""
    asks = _asks(words, layout)
    pick = _pick(words, layout)
    k, n = _numbers(words, layout)
    if pick == "any" and not layout.reach and "from" in layout.pieces and not is_beside(words, layout):
        pick = "nearest"
    if pick in _SIZES:
        return Asked("name", pick, k, n)
    size = _size(layout, asks)
    if size is not None:
        return Asked(size, "any")
    counted = asks.get("count")
    facts = _free(words, layout, "fact")
    if counted is not None and _before_target(counted, layout):
        return Asked("count", "any")
    if pick == "nearest" and facts and not asks.keys() & {"distance", "direction"}:
        return Asked("fact", pick, k, fact=", ".join(words.say(cue.first, cue.last) for cue in facts))
    if counted is not None and pick == "any" and "distance" not in asks:
        return Asked("count", "any")
    measure = next((ask for ask in _BY_MEASURE if ask in asks), None)
    if measure == "distance":
        return Asked("distance", pick, k)
    if measure == "direction":
        return Asked("direction", pick, k)
    if measure == "location":
        return Asked("location", pick, k)
    several = layout.target is not None and layout.target.plural and pick == "any"
    return Asked("names" if several or (n or 1) > 1 else "name", pick, k, n)


def is_beside(words: Words, layout: Layout) -> bool:
    """True for "next to A", "near A" without a distance, a direction or a superlative."""
    lead = layout.leads.get("from")
    if lead is None or layout.reach or layout.side is not None or "toward" in layout.pieces:
        return False
    if _pick(words, layout) != "any":
        return False
    return any(
        (cue.first <= lead.first < cue.last and lead.last <= cue.last) or _points_back(words, cue)
        for cue in words.of("lead.beside")
    )


def _points_back(words: Words, cue: Cue) -> bool:
    """True for "... adjacent to it": the place was named before."""
    vague = {"near", "close", "nearby"} & {words.norm(index) for index in range(cue.first, cue.last)}
    behind = words.norm(cue.last)
    return not vague and (behind in word_list("back") or not behind[:1].isalnum())


def _asks(words: Words, layout: Layout) -> dict[str, Cue]:
    """The phrases that say what is wanted, by what that is."""
    asks = {cue.key: cue for cue in _free(words, layout, "ask")}
    if "length" in asks and "from" in layout.pieces:
        # How long the way to something is, is how far it is.
        asks.setdefault("distance", asks.pop("length"))
    offered = winds_offered(words)
    return asks if offered is None else asks | {"direction": offered}


def _free(words: Words, layout: Layout, family: str) -> list[Cue]:
    """The phrases of a family that lie in no other part, the longest first where they overlap."""
    used = layout.parts()
    if family == "ask":
        used += _descriptions(words, layout)
    longer = [*words.of("lead.toward", "filler"), *layout.leads.values()]
    free = [
        cue
        for cue in words.of(family)
        if not any(overlaps((cue.first, cue.last), part) for part in used)
        and not any(_within(cue, other) for other in longer)
        and not (family == "ask" and cue.within(layout.leads.values()))
    ]
    free.sort(key=lambda cue: cue.first - cue.last)
    kept: list[Cue] = []
    for cue in free:
        if not any(cue.group != one.group and _within(cue, one) for one in kept):
            kept.append(cue)
    return sorted(kept, key=lambda cue: cue.first)


def _descriptions(words: Words, layout: Layout) -> list[Stretch]:
    """Superlatives that describe the target before them: "which hotel is the least distance away"."""
    if layout.target is None:
        return []
    return [(cue.first, cue.last) for cue in words.of("pick") if cue.first >= layout.target.stretch[1]]


def _within(cue: Cue, other: Cue) -> bool:
    return (
        other.first <= cue.first
        and cue.last <= other.last
        and (other.last - other.first) > (cue.last - cue.first)
    )


def _pick(words: Words, layout: Layout) -> Pick:
    """The superlative; of "the nearest of the largest" the one closest to the target."""
    found = _free(words, layout, "pick")
    if not found:
        # "the nearest to A" may be a part of the phrase that leads on to A.
        lead = layout.leads.get("from")
        near = lead is not None and {"nearest", "closest"} & {
            words.norm(i) for i in range(lead.first, lead.last)
        }
        return "nearest" if near else "any"
    found = [cue for cue in found if not any(_within(cue, other) for other in words.of("lead.beside"))]
    keys: list[Pick] = [cue.key for cue in found]  # type: ignore[misc]
    if "region" in layout.pieces and "from" not in layout.pieces:
        size = next((key for key in keys if key in _SIZES), None)
        if size is not None:
            return size
    return next((key for key in keys if key not in _SIZES), "any")


def _numbers(words: Words, layout: Layout) -> tuple[int, int | None]:
    """Which of the order ("second nearest"), and how many are wanted ("three nearest")."""
    k, n = 1, None
    used = [reach.stretch for reach in layout.reach]
    for cue in words.of("pick"):
        if any(overlaps((cue.first, cue.last), part) for part in used):
            continue
        before = words.norm(cue.first - 1)
        k = _ORDINALS.get(before, k)
        n = _NUMBERS.get(before, int(before) if before.isdecimal() and int(before) <= 50 else n)
        after = words.norm(cue.last)
        n = _NUMBERS.get(after, int(after) if after.isdecimal() and int(after) <= 50 else n)
    return k, n


def _size(layout: Layout, asks: dict[str, Cue]) -> Literal["area", "length"] | None:
    """Whether a total area or length is asked for: there is a region and no place."""
    if "region" not in layout.pieces or "from" in layout.pieces:
        return None
    if "distance" in asks and "area" not in asks:
        return "length"  # "how many kilometres of canals": there is nothing they could be far from
    if "area" in asks and "length" in asks:
        return "length" if asks["length"].last - asks["length"].first > 1 else "area"
    return "area" if "area" in asks else "length" if "length" in asks else None


def _before_target(cue: Cue, layout: Layout) -> bool:
    return layout.target is not None and 0 <= layout.target.stretch[0] - cue.last <= 2

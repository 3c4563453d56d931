"""Programs for questions about places of a kind: which, how many, is there one, how far, what of it."""

from modules.offline.intents import HERE, Compare, NearbyIntent, When
from modules.offline.programs.words import (
    MODES,
    conditions,
    field,
    joined,
    kind,
    metres,
    moment,
    place,
    program,
    seconds,
    side,
    where,
)  # fmt: skip
from modules.query.values.moment import WEEKDAYS

_KEYS = {"rating": "p.rating", "rating_count": "p.reviews", "price_level": "p.price"}
_EDGES = {
    "opens": "opens(p, {day})",
    "closes": "closes(p, {day})",
    "open_for": "sum(s.duration for s in hours(p, {day}))",
}
MAX_SPEED_M_S = {"walk": 1.8, "bike": 12.0, "transit": 40.0, "drive": 40.0}
"""Nobody gets further than this in a straight line; bounds the search for "within a ten-minute walk"."""


def nearby(intent: NearbyIntent) -> str:
    """A question about places of a kind around or inside something."""
    if intent.ask == "more":
        return _more(intent)
    lines, anchor = _anchors(intent)
    tests = _tests(intent)
    search = _search(intent, anchor, tests)
    counted = intent.ask == "count" or intent.min_count is not None or intent.max_count is not None
    if counted:
        return program(*lines, f"found = {search}", _counted(intent))
    if intent.ask == "exists":
        return program(*lines, f"found = {search}", "answer(count(found) > 0, which=found)")
    if intent.ask == "names":
        listed = _ranked(intent, search) + (f"[:{intent.n}]" if intent.n is not None else "")
        return program(*lines, f"answer({listed})")
    return program(*lines, f"one = {_one(intent, anchor, search, tests)}", _told(intent, anchor))


def _anchors(intent: NearbyIntent) -> tuple[list[str], str]:
    """Lines that set the anchors, and the name of the first."""
    if not intent.anchors:
        return [], ""
    if len(intent.anchors) == 1 and intent.anchors[0] == HERE:
        return [], "here"
    names = "abcd"[: len(intent.anchors)]
    maker = "area" if intent.inside else "place"
    lines = []
    for name, anchor in zip(names, intent.anchors, strict=False):
        made = place(anchor)
        lines.append(f"{name} = {made.replace('place(', f'{maker}(', 1) if anchor != HERE else made}")
    return lines, "a"


def _tests(intent: NearbyIntent) -> list[str]:
    tests = conditions(intent.filters)
    if intent.filters.direction is not None:
        tests.append(
            f"lies(p, {side(intent.filters.direction)}, of=a)"
            if intent.anchors != (HERE,)
            else f"lies(p, {side(intent.filters.direction)}, of=here)"
        )
    for name, _ in list(zip("abcd", intent.anchors, strict=False))[1:]:
        if intent.radius_m is not None:
            tests.append(f"distance(p, {name}) <= {metres(intent.radius_m)}")
    if intent.max_duration_s is not None:
        anchor = "here" if intent.anchors == (HERE,) else "a"
        tests.append(f'travel({anchor}, p, "{_mode(intent)}").duration <= {seconds(intent.max_duration_s)}')
    return tests


def _mode(intent: NearbyIntent) -> str:
    return MODES[intent.mode] if intent.mode is not None else "walk" if intent.max_duration_s else "drive"


def _search(intent: NearbyIntent, anchor: str, tests: list[str]) -> str:
    radius = intent.radius_m
    if radius is None and intent.max_duration_s is not None:
        radius = intent.max_duration_s * MAX_SPEED_M_S[_mode(intent)]
    if not anchor:
        bound = ""
    elif intent.inside:
        bound = f", inside={anchor}"
    else:
        bound = f", near={anchor}" + (f", within={metres(radius)}" if radius is not None else "")
        if radius is None and _needs_all(intent):
            bound += ', within="20 km"'
    return f"places({kind(intent.what)}{bound}{where(tests)})"


def _needs_all(intent: NearbyIntent) -> bool:
    """Whether the nearest few may not hold the answer."""
    farthest = intent.rank_by == "distance" and intent.pick is Compare.MAX
    ranked = intent.rank_by in {*_KEYS, *_EDGES}
    return intent.ask in {"count", "exists"} or intent.min_count is not None or farthest or ranked


def _key(intent: NearbyIntent, anchor: str) -> str:
    """What the places are ranked by."""
    if intent.rank_by in _KEYS:
        return _KEYS[intent.rank_by]
    if intent.rank_by in _EDGES:
        when = intent.when or When()
        day = (
            f'"{WEEKDAYS[when.weekday]}"'
            if when.weekday is not None
            else moment(when)
            if not when.is_now
            else '"today"'
        )
        return _EDGES[intent.rank_by].format(day=day)
    if intent.rank_by == "duration":
        return f'travel({anchor}, p, "{_mode(intent)}").duration'
    names = ["abcd"[number] for number in range(len(intent.anchors))] if anchor != "here" else ["here"]
    return " + ".join(f"distance(p, {name})" for name in names)


def _ranked(intent: NearbyIntent, search: str) -> str:
    """All places in the order the question asks for."""
    anchor = "here" if intent.anchors == (HERE,) else "a"
    plain = intent.rank_by in {"distance", "any"} and len(intent.anchors) <= 1 and intent.pick is Compare.MIN
    if plain and not intent.inside:
        return search
    if intent.rank_by == "any" or not intent.anchors:
        return search
    falling = ", reverse=True" if intent.pick is Compare.MAX else ""
    return f"sort({search}, key=lambda p: {_key(intent, anchor)}{falling})"


def _one(intent: NearbyIntent, anchor: str, search: str, tests: list[str]) -> str:
    """The one place meant."""
    plain = intent.rank_by in {"distance", "any"} and len(intent.anchors) == 1 and intent.pick is Compare.MIN
    if plain and intent.k == 1 and not intent.inside:
        bound = f", within={metres(intent.radius_m)}" if intent.radius_m is not None else ""
        if intent.max_duration_s is not None:
            bound = f", within={metres(intent.max_duration_s * MAX_SPEED_M_S[_mode(intent)])}"
        return f"nearest({kind(intent.what)}, to={anchor}{bound}{where(tests)})"
    if plain and not intent.inside:
        return f"{search}[{intent.k - 1 if intent.k > 0 else intent.k}]"
    if intent.rank_by == "any":
        return f"{search}[{intent.k - 1 if intent.k > 0 else intent.k}]"
    if not anchor and intent.rank_by == "distance":
        return f"{search}[0]"
    falling = intent.pick is Compare.MAX
    if intent.rank_by == "distance" and falling and len(intent.anchors) == 1 and not intent.inside:
        return f"{search}[-{max(intent.k, 1)}]"
    key = _key(intent, anchor)
    if intent.k == 1:
        return f"{'max' if falling else 'min'}({search}, key=lambda p: {key})"
    reverse = ", reverse=True" if falling else ""
    return f"sort({search}, key=lambda p: {key}{reverse})[{intent.k - 1 if intent.k > 0 else intent.k}]"


def _counted(intent: NearbyIntent) -> str:
    if intent.min_count is None and intent.max_count is None:
        return "answer(count(found))"
    tests = [f"count(found) >= {intent.min_count}"] if intent.min_count is not None else []
    tests += [f"count(found) <= {intent.max_count}"] if intent.max_count is not None else []
    return f"answer({joined(tests)}, number=count(found))"


def _told(intent: NearbyIntent, anchor: str) -> str:
    """What the question wants to know of the one place."""
    mode = _mode(intent) if intent.mode is not None else "walk"
    measures = {
        "distance": f"distance({anchor}, one)",
        "duration": f'travel({anchor}, one, "{mode}").duration',
        "way": f'travel({anchor}, one, "{mode}").distance',
        "direction": f"direction({anchor}, to=one)",
        "address": "one.address",
        "phone": "one.phone",
        "website": "one.website",
        "hours": "one.opening_hours",
    }
    parts = "".join(f", {name}={measures[name]}" for name in intent.also)
    if intent.ask == "fact" and intent.attribute is not None:
        return f"answer({field('one', intent.attribute, intent.service)}, place=one{parts})"
    if intent.ask in measures:
        return f"answer({measures[intent.ask]}, place=one{parts})"
    return f"answer(one{parts})"


def _more(intent: NearbyIntent) -> str:
    """Of which kind, or where, there are most or fewest."""
    pick = "min" if intent.pick is Compare.MIN else "max"
    if intent.kinds:
        lines, anchor = _anchors(intent)
        counts = []
        for number, what in enumerate(intent.kinds):
            search = _search(intent.model_copy(update={"what": what, "ask": "count"}), anchor, _tests(intent))
            counts.append(f"n{number + 1} = count({search})")
        if intent.claims:
            return program(
                *lines,
                *counts,
                "answer(n1 > n2, first=n1, second=n2)"
                if pick == "max"
                else "answer(n1 < n2, first=n1, second=n2)",
            )
        sign = ">" if pick == "max" else "<"
        first, second = (kind(what) for what in intent.kinds[:2])
        return program(*lines, *counts, f"answer({first} if n1 {sign} n2 else {second}, first=n1, second=n2)")
    maker = "area" if intent.inside else "place"
    anchors = ", ".join(place(anchor).replace("place(", f"{maker}(", 1) for anchor in intent.anchors)
    bound = "inside=x" if intent.inside else f"near=x, within={metres(intent.radius_m or 1000.0)}"
    search = f"places({kind(intent.what)}, {bound}{where(conditions(intent.filters))})"
    if intent.claims and len(intent.anchors) == 2:
        sign = ">" if pick == "max" else "<"
        tests = [search.replace("=x", f"={name}") for name in "ab"]
        lines = [
            f"{name} = {place(anchor).replace('place(', f'{maker}(', 1)}"
            for name, anchor in zip("ab", intent.anchors, strict=True)
        ]
        return program(*lines, f"answer(count({tests[0]}) {sign} count({tests[1]}))")
    return program(f"answer({pick}([{anchors}], key=lambda x: count({search})))")

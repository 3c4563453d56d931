"""Programs for questions about named places: facts, hours, comparisons, distances, directions."""

from map_tools.compute.geodesy import WINDS, wind_words
from modules.offline.intents import (
    Attribute,
    BearingIntent,
    BetweenIntent,
    CloserIntent,
    Compare,
    ComparePlacesIntent,
    DirectionPickIntent,
    DistanceIntent,
    OpenIntent,
    PairIntent,
    PlaceFactIntent,
    When,
    WithinIntent,
)  # fmt: skip
from modules.offline.programs.words import (
    DAYS,
    MODES,
    WEEK,
    chosen,
    conditions,
    field,
    joined,
    kind,
    limits,
    listed,
    metres,
    moment,
    open_test,
    place,
    program,
    quoted,
    seconds,
    side,
    where,
)  # fmt: skip
from modules.query.values.moment import WEEKDAYS

_OPENING = {
    "duration": "sum(s.duration for s in hours({p}, {day}))",
    "opens": "opens({p}, {day})",
    "closes": "closes({p}, {day})",
}


def place_fact(intent: PlaceFactIntent) -> str:
    """A fact about one place, or whether it is what the question says."""
    fact = field("p", intent.attribute, intent.service)
    if intent.at_least is not None:
        fact = f"{fact} >= {intent.at_least:g}"
    elif intent.is_value is not None:
        fact = (
            f"{fact} == {quoted(intent.is_value)}"
            if intent.attribute is not Attribute.ADDRESS
            else f"{quoted(intent.is_value)} in {fact}"
        )
    return program(f"p = {place(intent.place)}", f"answer({fact})")


def opening(intent: OpenIntent) -> str:
    """Opening hours of one place."""
    head, when = f"p = {place(intent.place)}", intent.when
    at = moment(when)
    day = f'"{WEEKDAYS[when.weekday]}"' if when.weekday is not None else at
    asks = {
        "is_open": open_test("p", when),
        "is_closed": f"not {open_test('p', when)}",
        "opens_at": f"opens(p, {_day_or_now(when)})",
        "closes_at": f"closes(p, {_day_or_now(when)})",
        "hours_on_day": f"hours(p, {day})",
        "open_duration": f"sum(s.duration for s in hours(p, {day}))",
        "until_open": f"opens(p, {at}) - {at}",
        "until_close": f"closes(p, {at}) - {at}",
    }
    if intent.ask in asks:
        if intent.ask in {"until_open", "until_close"} and at != "now":
            edge = "opens" if intent.ask == "until_open" else "closes"
            return program(head, f"answer({edge}(p, {at}) - {at})")
        return program(head, f"answer({asks[intent.ask]})")
    return _open_days(intent, head)


def _day_or_now(when: When) -> str:
    return '"today"' if when.is_now else moment(when)


def _open_days(intent: OpenIntent, head: str) -> str:
    days = WEEK
    if intent.when.days:
        days = "[" + ", ".join(f'"{DAYS[day]}"' for day in intent.when.days) + "]"
    at = f"{{day}} {intent.when.at:%H:%M}" if intent.when.at is not None else ""
    verdict = "not is_open(p, d)" if intent.ask == "closed_days" else "is_open(p, d)"
    if at:
        names = [f'"{day} {intent.when.at:%H:%M}"' for day in WEEKDAYS]
        days = f"[{', '.join(names)}]"
    found = f"[d for d in {days} if {verdict}]"
    if intent.by is not None:
        key = _OPENING[intent.by].format(p="p", day="d")
        since = "" if intent.by == "duration" else " - d"
        pick = "min" if intent.pick is Compare.MIN else "max"
        return program(head, f"days = {found}", f"answer({pick}(days, key=lambda d: {key}{since}))")
    return program(head, f"days = {found}", "answer(count(days))" if intent.count else "answer(days)")


def compare_places(intent: ComparePlacesIntent) -> str:
    """Which of several places has most or least of something, or fulfils a condition."""
    names = listed(intent.places)
    tests = conditions(intent.filters)
    kept = f"[p for p in {names} if {joined(tests)}]" if tests else names
    if intent.direction is not None:
        wind = (
            intent.direction.upper()
            if intent.direction.upper() in WINDS
            else wind_words(intent.direction) or "N"
        )
        axis = "lat" if wind in "NS" else "lng"
        best = chosen("these", f"p.{axis}", greatest=wind in "NE")
        return program(f"these = {kept}", f"answer({_claimed(best, intent.claim)})")
    if intent.attribute is None:
        return program(f"answer({kept})")
    key = _at("p", intent)
    if intent.ask == "difference":
        return program(
            f"these = {kept}", f"answer(abs({_at('these[0]', intent)} - {_at('these[1]', intent)}))"
        )
    falling = intent.pick is Compare.MAX
    if intent.ask == "order":
        reverse = ", reverse=True" if falling else ""
        return program(f"these = {kept}", f"answer(sort(these, key=lambda p: {key}{reverse}))")
    best = chosen("these", key, greatest=falling, k=intent.k)
    return program(f"these = {kept}", f"answer({_claimed(best, intent.claim)})")


def _at(subject: str, intent: ComparePlacesIntent) -> str:
    """What places are compared by, of one of them."""
    attribute = intent.attribute or Attribute.RATING
    if attribute is not Attribute.HOURS:
        return field(subject, attribute)
    by = intent.by or ("opens" if intent.pick is Compare.MIN else "closes")
    when = intent.when or When()
    day = (
        f'"{WEEKDAYS[when.weekday]}"'
        if when.weekday is not None
        else moment(when)
        if not when.is_now
        else '"today"'
    )
    return _OPENING[by].format(p=subject, day=day)


def _claimed(best: str, claim: str | None) -> str:
    return best if claim is None else f"{best} == {place(claim)}"


def distance(intent: DistanceIntent) -> str:
    """The straight line between two places."""
    measure = f"distance({place(intent.a)}, {place(intent.b)})"
    at_most = None if intent.at_most_m is None else metres(intent.at_most_m)
    at_least = None if intent.at_least_m is None else metres(intent.at_least_m)
    return program(f"answer({limits(measure, at_most, at_least)})")


def bearing(intent: BearingIntent) -> str:
    """In which direction something lies."""
    origin, target = place(intent.origin), place(intent.target)
    lines = [f"a = {origin}", f"b = {target}"]
    if intent.is_direction is not None:
        return program(*lines, f"answer(lies(b, {side(intent.is_direction)}, of=a))")
    if len(intent.among) == 2:
        first, second = (side(one) for one in intent.among)
        wind = wind_words(intent.among[0]) or intent.among[0].upper()
        axis, sign = (
            ("lat", ">")
            if wind == "N"
            else ("lat", "<")
            if wind == "S"
            else ("lng", ">")
            if wind == "E"
            else ("lng", "<")
        )
        return program(*lines, f"answer({first} if b.{axis} {sign} a.{axis} else {second})")
    far = ", distance=distance(a, b)" if intent.far else ""
    return program(*lines, f"answer(direction(a, to=b){far})")


def direction_pick(intent: DirectionPickIntent, *, options: bool) -> str:
    """Which candidate lies in a direction."""
    anchor = place(intent.anchor)
    if not intent.candidates and intent.what is not None and not options:
        return program(
            f"a = {anchor}",
            f"answer(nearest({kind(intent.what)}, to=a{where([f'lies(p, {side(intent.direction)}, of=a)'])}))",
        )
    wanted = WINDS.index(wind_words(intent.direction) or intent.direction.upper()) * 45
    key = f'abs(direction(a, to=p) - "{wanted} deg")'
    return program(
        f"a = {anchor}",
        f"these = [p for p in {listed(intent.candidates)} if lies(p, {side(intent.direction)}, of=a)]",
        f"answer(min(these, key=lambda p: {key}))",
    )


def between(intent: BetweenIntent, *, options: bool) -> str:
    """Which candidate lies between two places: the one with the least detour past it."""
    lines = [f"a = {place(intent.a)}", f"b = {place(intent.b)}"]
    detour = "distance(a, p) + distance(p, b)"
    if not intent.candidates and intent.what is not None and not options:
        return program(
            *lines,
            f"found = places({kind(intent.what)}, inside=between(a, b))",
            f"answer(min(found, key=lambda p: {detour}))",
        )
    return program(*lines, f"answer(min({listed(intent.candidates)}, key=lambda p: {detour}))")


def closer(intent: CloserIntent) -> str:
    """Which of several places is nearest to or farthest from another."""
    names, greatest = listed(intent.candidates), intent.pick is Compare.MAX
    if intent.measure == "straight":
        key = "distance(a, p)"
    else:
        key = f'travel(a, p, "{MODES[intent.mode] if intent.mode else "drive"}").{intent.measure}'
    best = chosen(names, key, greatest=greatest, k=intent.k)
    return program(f"a = {place(intent.anchor)}", f"answer({_claimed(best, intent.claim)})")


def within(intent: WithinIntent) -> str:
    """Which of several places lie within a limit, or beyond it."""
    sign = ">" if intent.beyond else "<="
    if intent.limit_s is not None:
        mode = MODES[intent.mode] if intent.mode else "drive"
        test = f'travel(a, p, "{mode}").duration {sign} {seconds(intent.limit_s)}'
    elif intent.mode is not None:
        test = f'travel(a, p, "{MODES[intent.mode]}").distance {sign} {metres(intent.limit_m or 0)}'
    else:
        test = f"distance(a, p) {sign} {metres(intent.limit_m or 0)}"
    found = f"[p for p in {listed(intent.candidates)} if {test}]"
    return program(
        f"a = {place(intent.anchor)}",
        f"these = {found}",
        "answer(count(these))" if intent.ask == "count" else "answer(these)",
    )


def pair(intent: PairIntent, option_pairs: tuple[tuple[str, str], ...]) -> str:
    """Which pair of places is closest or farthest."""
    greatest = intent.pick is Compare.MAX
    if intent.measure == "straight":
        key = "distance(p[0], p[1])"
    else:
        key = f'travel(p[0], p[1], "{MODES[intent.mode] if intent.mode else "drive"}").{intent.measure}'
    if intent.places:
        items = f"pairs({listed(intent.places)})"
    else:
        items = "[" + ", ".join(f"[{place(a)}, {place(b)}]" for a, b in option_pairs) + "]"
    return program(f"answer({chosen(items, key, greatest=greatest)})")

"""Judges options that are orders of visits or whole schedules against the travel facts."""

from collections.abc import Sequence
from dataclasses import replace

from map_tools.compute.quantities import format_duration
from map_tools.compute.trip_model import END, START, Problem
from mapagent.answer import OptionPick, Solution
from modules.solvers.route_facts import Leg
from modules.solvers.trip_case import TripCase, seconds_of
from modules.solvers.trip_hours import Windows
from modules.solvers.trip_options import ReadOption, read_option
from modules.solvers.trip_search import Plan, walk

START_WORDS = ("home", "start", "starting point", "hotel", "hostel", "current location", "my location")
"""What options call the start besides its name."""

SLACK_S = 60.0
"""Options give whole minutes, so a minute's difference breaks nothing."""


def read_options(case: TripCase) -> list[ReadOption]:
    """The options of the question as stops of the trip."""
    stops = (*case.start, *range(len(case.visits)), *case.end)
    names = [
        [case.words(stop), case.name(stop), *(START_WORDS if stop in (START, END) else ())] for stop in stops
    ]
    if case.intent.returns:
        stops, names = stops[:-1], names[:-1]
    found = []
    for index, text in case.view.question.live_options():
        read = read_option(index, text, names)
        renumbered = tuple(replace(one, stop=stops[one.stop]) for one in read.stops)
        if case.end:  # back at the start is the end of the trip
            renumbered = (
                *renumbered[:1],
                *(replace(one, stop=END) if one.stop == START else one for one in renumbered[1:]),
            )
        found.append(ReadOption(index=index, text=text, stops=renumbered))
    return found


def _visits(option: ReadOption) -> tuple[int, ...]:
    return tuple(stop for stop in option.order if stop >= 0)


def options_name_single_stops(case: TripCase) -> bool:
    """True if each option is the name of one visit ("which should I see first?")."""
    options = read_options(case)
    return bool(options) and all(len(option.stops) == 1 and len(_visits(option)) == 1 for option in options)


def orders(
    case: TripCase, problem: Problem, table: dict[tuple[int, int], Leg]
) -> list[tuple[ReadOption, Plan]]:
    """The options that are possible orders of all visits, the one that ends first in front.

    Empty if the options are no orders, or none of them is possible.
    """
    found: list[tuple[ReadOption, Plan]] = []
    for option in read_options(case):
        visits = _visits(option)
        if len(visits) < 2 or sorted(visits) != list(range(len(case.visits))):
            continue
        plan = walk(problem, table, visits)
        if plan is not None:
            found.append((option, plan))
    return sorted(found, key=lambda pair: (pair[1].finish_s, pair[1].travel_s))


def schedules(
    case: TripCase, table: dict[tuple[int, int], Leg], windows: Sequence[Windows | None]
) -> list[ReadOption] | None:
    """The schedules that break nothing, the one with least waiting in front; None if the options are none."""
    timed = [option for option in read_options(case) if option.timed and _visits(option)]
    if not timed:
        return None
    sound: list[tuple[float, float, ReadOption]] = []
    for option in timed:
        problems, waiting_s = faults(case, option, table, windows)
        if problems:
            case.trail.warn(f"{case.view.question.letter(option.index)}: {'; '.join(problems)}.")
        else:
            finish = max(stop.depart_min or stop.arrive_min or 0.0 for stop in option.stops)
            sound.append((waiting_s, finish, option))
    return [option for _, _, option in sorted(sound, key=lambda item: item[:2])]


def faults(
    case: TripCase,
    option: ReadOption,
    table: dict[tuple[int, int], Leg],
    windows: Sequence[Windows | None],
) -> tuple[list[str], float]:
    """What is wrong with a schedule, and how long one waits on the way in seconds."""
    problems: list[str] = []
    missing = set(range(len(case.visits))) - set(_visits(option))
    problems += [f"{case.words(stop)} is left out" for stop in sorted(missing)]
    waiting_s, left_s, before = 0.0, None, None
    for read in option.stops:
        if read.arrive_min is None:
            continue
        arrive_s = read.arrive_min * 60
        depart_s = read.depart_min * 60 if read.depart_min is not None else arrive_s + case.dwell_s(read.stop)
        problems += _stay_faults(case, read.stop, arrive_s, depart_s, windows)
        if before is not None and left_s is not None:
            leg = table.get((before, read.stop))
            if leg is None:
                problems.append(f"no way from {case.words(before)} to {case.words(read.stop)} is known")
            elif arrive_s - left_s < leg.duration_s - SLACK_S:
                problems.append(f"{leg.origin} → {leg.destination} takes {format_duration(leg.duration_s)}")
            else:
                waiting_s += max(arrive_s - left_s - leg.duration_s, 0.0)
        before, left_s = read.stop, depart_s
    end_by = case.intent.end_by
    if end_by is not None and left_s is not None and left_s > seconds_of(end_by) + SLACK_S:
        problems.append("it ends too late")
    return problems, waiting_s


def _stay_faults(
    case: TripCase, stop: int, arrive_s: float, depart_s: float, windows: Sequence[Windows | None]
) -> list[str]:
    problems: list[str] = []
    if depart_s - arrive_s < case.dwell_s(stop) - SLACK_S:
        problems.append(f"the stay at {case.words(stop)} is too short")
    spans = windows[stop] if stop >= 0 else None
    if spans is not None and not any(
        opens - SLACK_S <= arrive_s and depart_s <= closes + SLACK_S for opens, closes in spans
    ):
        problems.append(f"{case.words(stop)} is not open then")
    return problems


def picked(case: TripCase, ranked: Sequence[ReadOption], words: str) -> Solution:
    """The first of the options judged possible; the others follow."""
    best = ranked[0]
    case.trail.claim("option", ("question",), best.index, texts=[one.text for one in ranked], reason=words)
    picks = [OptionPick(index=one.index, text=one.text) for one in ranked]
    return case.answered(picks[0], words, picks[1:])

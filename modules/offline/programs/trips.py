"""Programs for questions about trips: times, deadlines, how many stops fit, the best order, schedules."""

from collections.abc import Sequence
from datetime import time

from modules.offline.intents import TripIntent, Visit, When
from modules.offline.programs.options import ReadOption
from modules.offline.programs.words import MODES, clock, day_of, kind, metres, place, program, quoted, seconds

_ALL_DAY_S = 86_400.0


class TripWriter:
    """Writes the program of one trip question.

    Args:
        intent: What the grammar read.
        mode: The mode meant where the question names none.
        orders: The options that are orders or schedules, as stops of the trip.
        at: The moment of the question, if it has one.
    """

    def __init__(self, intent: TripIntent, mode: str, orders: Sequence[ReadOption], at: time | None) -> None:
        self.intent = intent
        self.mode = MODES[intent.mode] if intent.mode is not None else mode
        self.orders = orders
        self.at = at
        self.lines: list[str] = []
        self.stops: list[str] = []

    def program(self) -> str:
        """The program."""
        self._name_stops()
        asks = {
            "travel_time": self._amount, "total_time": self._amount, "distance": self._amount, "arrival": self._arrival,
            "leave_at": self._arrival, "latest_departure": self._latest, "spare": self._spare,
            "feasible": self._feasible, "max_visits": self._most, "best_order": self._best, "schedule": self._schedule,
        }  # fmt: skip
        return program(*self.lines, *asks[self.intent.ask]())

    def _name_stops(self) -> None:
        """A line for the start, the end and each stop, so that each place is looked up under one name."""
        if self.intent.start is not None:
            self.lines.append(f"start = {place(self.intent.start)}" if self.intent.start != "here" else "")
        before = self._start
        for number, visit in enumerate(self.intent.visits, start=1):
            name = f"s{number}"
            if visit.what is not None and before:
                self.lines.append(f"{name} = nearest({kind(visit.what)}, to={before})")
            else:
                self.lines.append(f"{name} = {place(visit.place)}")
            self.stops.append(name)
            before = name
        if self.intent.end is not None:
            self.lines.append(f"finish = {place(self.intent.end)}")

    @property
    def _start(self) -> str:
        if self.intent.start is None:
            return ""
        return "here" if self.intent.start == "here" else "start"

    @property
    def _end(self) -> str:
        if self.intent.returns:
            return self._start or self.stops[0]
        return "finish" if self.intent.end is not None else ""

    def _stay(self, number: int, visit: Visit) -> str:
        extra = []
        if visit.dwell_s:
            extra.append(f"stay={seconds(visit.dwell_s)}")
        if visit.arrive_by is not None or visit.not_before is not None:
            first = clock(visit.not_before) if visit.not_before is not None else "00:00"
            last = clock(visit.arrive_by) if visit.arrive_by is not None else "23:59"
            extra.append(f'window=["{self._day}{first}", "{self._day}{last}"]')
        if visit.mode is not None and MODES[visit.mode] != self.mode:
            extra.append(f'mode="{MODES[visit.mode]}"')
        name = self.stops[number]
        return f"visit({name}, {', '.join(extra)})" if extra else name

    def _trip(
        self,
        *,
        visits: str = "",
        extra: str = "",
        clock_: bool = True,
        hours: bool = True,
        depart: str = "",
        end: bool = True,
    ) -> str:
        intent = self.intent
        if end and self._end and intent.return_mode is not None and MODES[intent.return_mode] != self.mode:
            back = f'visit({self._end}, mode="{MODES[intent.return_mode]}")'
            stays = (
                visits or "[" + ", ".join(self._stay(n, visit) for n, visit in enumerate(intent.visits)) + "]"
            )
            return self._trip(
                visits=f"{stays[:-1]}, {back}]",
                extra=extra,
                clock_=clock_,
                hours=hours,
                depart=depart,
                end=False,
            )
        stays = visits or "[" + ", ".join(self._stay(n, visit) for n, visit in enumerate(intent.visits)) + "]"
        parts = [stays, f'mode="{self.mode}"']
        if self._start:
            parts.append(f"start={self._start}")
        if end and self._end:
            parts.append(f"end={self._end}")
        if clock_:
            begin = depart or self._depart
            if begin:
                parts.append(f"depart={begin}")
        if extra:
            parts.append(extra)
        if not hours or not intent.meet_opening:
            parts.append("hours=False")
        return f"trip({', '.join(parts)})"

    @property
    def _day(self) -> str:
        return (
            f"{day_of(self.intent.day)} " if self.intent.day is not None and day_of(self.intent.day) else ""
        )

    @property
    def _depart(self) -> str:
        intent = self.intent
        if intent.depart_at is not None:
            return f'"{self._day}{clock(intent.depart_at)}"'
        if intent.begins is not None:
            where = self._start if intent.begins == "closing" and self._start else self.stops[0]
            day = day_of(intent.day) if intent.day is not None else ""
            edge = "closes" if intent.begins == "closing" else "opens"
            return f'{edge}({where}, "{day or "today"}")'
        return "now" if self.at is not None else ""

    def _amount(self) -> list[str]:
        intent = self.intent
        free = not intent.ordered and len(intent.visits) > 1
        day = self._trip(clock_=False, extra='order="free"' if free else "")
        if intent.counted is not None:
            measure = "distance" if intent.ask == "distance" else "duration"
            value = f'sum(leg.{measure} for leg in day.legs if leg.mode == "{MODES[intent.counted]}")'
        else:
            value = {"distance": "day.distance", "total_time": "day.duration"}.get(intent.ask, "day.travel")
        return [f"day = {day}", f"answer({value})"]

    def _arrival(self) -> list[str]:
        value = (
            "day.visits[-1].leave"
            if self.intent.ask == "leave_at"
            else "day.arrive"
            if self._end
            else "day.visits[-1].arrive"
        )
        if not self._depart:
            return ['unanswerable("the question does not say when the trip begins")']
        if not self.intent.meet_opening:
            return [f"day = {self._trip()}", f"answer({value})"]
        plain, otherwise = self._trip(hours=False), value.replace("day", "plain")
        return [
            f"day = {self._trip()}", f"plain = {plain}",
            f"answer({value} if day.feasible else {otherwise}, without_hours={otherwise})",
        ]  # fmt: skip

    def _deadline(self) -> str:
        """When the trip must be over."""
        intent = self.intent
        if intent.end_by is not None:
            return f'"{self._day}{clock(intent.end_by)}"'
        last = intent.visits[-1]
        if last.at_opening:
            return f'opens({self.stops[-1]}, "{day_of(intent.day) if intent.day and day_of(intent.day) else "today"}")'
        if last.arrive_by is not None and not self._end:
            return f'"{self._day}{clock(last.arrive_by)}"' + (
                f" + {seconds(last.dwell_s)}" if last.dwell_s else ""
            )
        if intent.meet_opening and not self._end:
            return f'"{self._day or "today "}23:59"'
        return ""

    def _latest(self) -> list[str]:
        deadline = self._deadline()
        if not deadline:
            return ['unanswerable("nothing limits the trip")']
        last = self.intent.visits[-1]
        plain = self._trip(clock_=False, extra=f"arrive={deadline}", hours=False)
        if last.at_opening or not self.intent.meet_opening or "23:59" in deadline:
            hours = not last.at_opening
            return [
                f"day = {self._trip(clock_=False, extra=f'arrive={deadline}', hours=hours)}",
                "answer(day.depart)",
            ]
        return [
            f"day = {self._trip(clock_=False, extra=f'arrive={deadline}')}", f"plain = {plain}",
            "answer(day.depart if day.feasible else plain.depart, without_hours=plain.depart)",
        ]  # fmt: skip

    def _spare(self) -> list[str]:
        intent = self.intent
        last = intent.visits[-1]
        if intent.available_s is not None:
            return [
                f"day = {self._trip(clock_=False)}",
                f"answer({seconds(intent.available_s)} - day.duration)",
            ]
        if not self._depart:
            return ['unanswerable("the question does not say when the trip begins")']
        if last.until is not None and not self._end:
            return [
                f"day = {self._trip(hours=False)}",
                f'answer("{self._day}{clock(last.until)}" - day.visits[-1].arrive)',
            ]
        deadline = intent.end_by or last.arrive_by
        if deadline is not None:
            plain = self._trip(hours=False, visits=self._unlimited())
            return [f"day = {plain}", f'answer("{self._day}{clock(deadline)}" - day.arrive)']
        if last.at_opening:
            plain = self._trip(hours=False, visits=self._unlimited())
            return [f"day = {plain}", f"answer(opens({self.stops[-1]}, day.arrive) - day.arrive)"]
        plain = self._trip(hours=False)
        return [f"day = {plain}", f"answer(closes({self.stops[-1]}, day.visits[-1].arrive) - day.arrive)"]

    def _unlimited(self) -> str:
        free = [
            visit.model_copy(update={"arrive_by": None, "not_before": None}) for visit in self.intent.visits
        ]
        return "[" + ", ".join(self._stay(number, visit) for number, visit in enumerate(free)) + "]"

    def _budget(self) -> tuple[str, str, bool]:
        """Departure, deadline, and whether they are clock times that opening hours bind."""
        intent = self.intent
        begin = self._depart
        if intent.end_by is not None and begin:
            return begin, f'"{self._day}{clock(intent.end_by)}"', True
        if intent.available_s is not None:
            if begin:
                return begin, f"{begin} + {seconds(intent.available_s)}", True
            return '"00:00"', f'"00:00" + {seconds(intent.available_s)}', False
        return begin, "", bool(begin)

    def _feasible(self) -> list[str]:
        intent = self.intent
        begin, deadline, timed = self._budget()
        free = ', order="free"' if not intent.ordered else ""
        extra = (f"arrive={deadline}" if deadline else "") + (free if deadline else free.lstrip(", "))
        return [
            f"day = {self._trip(depart=begin, extra=extra, hours=timed)}",
            "answer(day.feasible, problems=day.problems)",
        ]

    def _most(self) -> list[str]:
        begin, deadline, timed = self._budget()
        order = "fixed" if self.intent.ordered else "free"
        extra = f'order="{order}", skip=True' + (f", arrive={deadline}" if deadline else "")
        return [
            f"day = {self._trip(depart=begin or '"00:00"', extra=extra, hours=timed)}",
            "answer(count(day.order), which=day.order)",
        ]

    def _best(self) -> list[str]:
        intent = self.intent
        begin, deadline, timed = self._budget()
        extra = f", arrive={deadline}" if deadline else ""
        wanted = range(len(intent.visits))
        full = [
            option
            for option in self.orders
            if sorted(stop for stop in option.order if stop >= 0) == list(wanted)
        ]
        if full and len(intent.visits) > 1:
            plans = []
            for option in full:
                visits = [stop for stop in option.order if stop >= 0]
                stays = "[" + ", ".join(self._stay(number, intent.visits[number]) for number in visits) + "]"
                plans.append(self._trip(visits=stays, depart=begin, extra=extra.lstrip(", "), hours=timed))
            names = [f"t{number}" for number in range(1, len(plans) + 1)]
            lines = [f"{name} = {plan}" for name, plan in zip(names, plans, strict=True)]
            numbers = [str(option.index) for option in full]
            pairs = ", ".join(
                f"[options[{number}], {name}.duration]" for number, name in zip(numbers, names, strict=True)
            )
            return [
                *lines,
                f"tried = [o for o in [{pairs}] if known(o[1])]",
                "answer(min(tried, key=lambda o: o[1])[0])",
            ]
        day = self._trip(depart=begin, extra=f'order="free"{extra}', hours=timed)
        value = {"first": "day.order[0]", "last": "day.order[-1]"}.get(intent.wanted, "day.order")
        if intent.wanted == "order" and self.orders and all(len(option.stops) == 1 for option in self.orders):
            value = "day.order[0]"
        return [f"day = {day}", f"answer({value})"]

    def _schedule(self) -> list[str]:
        timed = [option for option in self.orders if option.timed and any(stop >= 0 for stop in option.order)]
        if not timed:
            begin, deadline, bound = self._budget()
            extra = f"arrive={deadline}" if deadline else ""
            order = "" if self.intent.ordered else ', order="free"'
            return [
                f"day = {self._trip(depart=begin, extra=(extra + order).lstrip(', '), hours=bound)}",
                "answer(day)",
            ]
        by_index = {option.index: option for option in timed}
        tests = [
            self._keeps(by_index[index]) if index in by_index else "False"
            for index in range(max(by_index) + 1)
        ]
        return [f"answer(judge([{', '.join(tests)}]))"]

    def _keeps(self, option: ReadOption) -> str:
        """Whether a schedule keeps the ways, the stays and the opening hours."""
        visits = [stop for stop in option.stops if stop.stop >= 0]
        if set(range(len(self.intent.visits))) - {one.stop for one in visits}:
            return "False"
        stays = []
        for one in visits:
            dwell = self.intent.visits[one.stop].dwell_s
            if one.arrive_min is not None and one.depart_min is not None:
                given = (one.depart_min - one.arrive_min) * 60
                if given < dwell - 60:
                    return "False"
                dwell = given
            extra = [f"stay={seconds(dwell)}"] if dwell else []
            if one.arrive_min is not None:
                extra.append(
                    f'window=["{self._day}{_minutes(one.arrive_min - 1)}", "{self._day}{_minutes(one.arrive_min + 1)}"]'
                )
            stays.append(f"visit({self.stops[one.stop]}{', ' if extra else ''}{', '.join(extra)})")
        begin = next(
            (
                one.depart_min if one.depart_min is not None else one.arrive_min
                for one in option.stops
                if one.stop < 0
            ),
            None,
        )
        first = next((one.arrive_min for one in visits if one.arrive_min is not None), None)
        depart = self._depart or (f'"{self._day}{_minutes(begin)}"' if begin is not None else "")
        starts = bool(depart)
        if not depart and first is not None:
            depart = f'"{self._day}{_minutes(first - 1)}"'
        start = f", start={self._start}" if self._start and starts else ""
        deadline = (
            f', arrive="{self._day}{clock(self.intent.end_by)}"' if self.intent.end_by is not None else ""
        )
        end = f", end={self._end}" if self._end else ""
        hours = "" if self.intent.meet_opening else ", hours=False"
        return f'trip([{", ".join(stays)}], mode="{self.mode}"{start}{end}, depart={depart}{deadline}{hours}).feasible'


def _minutes(minutes: float) -> str:
    total = int(minutes) % (24 * 60)
    return f"{total // 60:02d}:{total % 60:02d}"


__all__ = ["TripWriter", "When", "metres", "quoted"]

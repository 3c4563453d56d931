"""What a text says of some days: when the place is open on them."""

from dataclasses import dataclass, field

from map_tools.compute.told_hours.clock_spans import Clock


@dataclass(slots=True)
class Statement:
    """Days, and when the place is open on them.

    Attributes:
        days: None if nothing is said of which.
        excepted: Days on which it does not hold.
        others: It holds on all days of which nothing is said elsewhere.
        season: The selector of the season it holds in; empty for all the year.
        spans: From when to when; None for an end that no clock tells.
        opens: A beginning alone; `closes` an end alone; `told` says which of the two are told.
        minus: Spans in which it is closed.
        closed: It is closed.
        unsure: What is said of hours is not understood.
        part: The half of the day that words beside the times say; `part_closed` if it is closed then.
        also: Its spans come to those of other statements.
        only: "only" these days.
    """

    days: tuple[str, ...] | None = None
    excepted: tuple[str, ...] = ()
    others: bool = False
    season: str = ""
    spans: list[tuple[Clock | None, Clock | None]] = field(default_factory=list)
    opens: Clock | None = None
    closes: Clock | None = None
    told: set[str] = field(default_factory=set)
    minus: list[tuple[Clock | None, Clock | None]] = field(default_factory=list)
    all_day: bool = False
    closed: bool = False
    unsure: bool = False
    part: str = ""
    part_closed: bool = False
    only: bool = False
    also: bool = False

    @property
    def dated(self) -> bool:
        """It says of which days it speaks."""
        return self.days is not None or self.others

    @property
    def valued(self) -> bool:
        """It says something of hours."""
        open_then = self.spans or self.told or self.minus or self.all_day
        return bool(open_then or self.closed or self.part_closed or self.unsure)

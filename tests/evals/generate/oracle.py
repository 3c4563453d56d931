"""Generated questions beside what an independent reading of the extract says of them."""

import json
import re
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from evals.generate.mapeval.draft import Kind, load_kinds
from tests.e2e.truth import RawMap, Thing
from tests.support.data import demo_extract
from tests.support.maps import demo_map

COUNT = 110
SEED = 11
KINDS = {"n": "node", "w": "way", "r": "relation"}
COSTINGS = {
    "pedestrian": r"\b(walk\w*|foot)\b",
    "auto": r"\b(car|driv\w+)\b",
    "bicycle": r"\b(bi(ke|cycle)|cycl\w+)\b",
}
CLOCK = re.compile(r"(\d{1,2}):(\d\d) ([AP])M")


@dataclass(frozen=True)
class Case:
    """A generated question."""

    family: str
    text: str
    options: tuple[str, ...]
    correct: int
    things: tuple[Thing, ...]

    @property
    def right(self) -> str:
        return self.options[self.correct]

    @property
    def wrong(self) -> tuple[str, ...]:
        return tuple(text for index, text in enumerate(self.options) if index != self.correct)

    @property
    def kind(self) -> Kind:
        """The kind of places asked for; names begin with a capital, so they are not taken for it."""
        found = [
            kind for kind in load_kinds() if re.search(rf"\b({re.escape(kind.one)}|{kind.many})\b", self.text)
        ]
        assert found, self.text
        return max(found, key=lambda kind: len(kind.one))

    @property
    def costing(self) -> str:
        """Valhalla's name of the mode the question speaks of, looked for outside the names in it."""
        text = self.text
        for thing in self.things:
            text = text.replace(thing.name, "")
        found = [name for name, words in COSTINGS.items() if re.search(words, text)]
        assert len(found) == 1, self.text
        return found[0]

    @property
    def radius_m(self) -> float:
        found = re.search(r"\b(\d+) ?m(et(re|er)s?)?\b", self.text)
        assert found is not None, self.text
        return float(found[1])

    @property
    def day(self) -> int:
        """0 for Monday."""
        days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
        return next(number for number, day in enumerate(days) if day in self.text)


@dataclass(frozen=True)
class Bench:
    """The questions, and the extract they are about."""

    folder: Path
    raw: RawMap
    cases: tuple[Case, ...]

    def of(self, family: str) -> tuple[Case, ...]:
        """The questions of a family; at least one, unless the map has no material for it."""
        found = tuple(case for case in self.cases if case.family == family)
        manifest = json.loads((self.folder / "manifest.json").read_text("utf-8"))
        if not found and family in manifest["given_up"]:
            pytest.skip(f"the demo map has no material for {family}")
        assert found
        return found

    def named(self, case: Case) -> list[Thing]:
        """The named objects of the kind a question asks for, without its anchor."""
        return [thing for thing in self.all_of(case) if thing.name and thing != case.things[0]]

    def all_of(self, case: Case) -> list[Thing]:
        """The objects of the kind a question asks for."""
        found: dict[tuple[str, int], Thing] = {}
        for key, value in case.kind.tags:
            found |= {(thing.kind, thing.osm_id): thing for thing in self.raw.all(**{key: value})}
        return list(found.values())


@lru_cache(maxsize=1)
def _workplace() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="generated-")


@lru_cache(maxsize=1)
def bench() -> Bench:
    """Questions over the demo map, made once for a whole test run."""
    from evals.generate.mapeval.generator import generate

    folder = Path(_workplace().name) / "generated"
    generate(demo_map(), COUNT, SEED, folder, "all")
    raw = RawMap(demo_extract(), demo_map() / "tiles")
    things = {(thing.kind, thing.osm_id): thing for thing in raw.all(name=True)}
    records = json.loads((folder / "dataset.json").read_text("utf-8"))
    truths = [json.loads(line) for line in (folder / "truth.jsonl").read_text("utf-8").splitlines()]
    return Bench(
        folder,
        raw,
        tuple(_case(record, truth, things) for record, truth in zip(records, truths, strict=True)),
    )


def _case(record: dict[str, Any], truth: dict[str, Any], things: dict[tuple[str, int], Thing]) -> Case:
    assert record["id"] == truth["id"]
    return Case(
        family=truth["family"],
        text=record["question"],
        options=tuple(record["answer"]["options"]),
        correct=record["answer"]["correct"],
        things=tuple(things[KINDS[osm[0]], int(osm[1:])] for osm in truth["osm"]),
    )


def metres(text: str) -> float:
    """ "420 m" and "3.4 km" in metres."""
    number, unit = text.split()
    return float(number) * {"m": 1, "km": 1000}[unit]


def minutes(text: str) -> int:
    """ "1 hour 13 mins" in minutes."""
    parts = re.findall(r"(\d+) (hour|min)", text)
    assert parts, text
    return sum(int(number) * {"hour": 60, "min": 1}[unit] for number, unit in parts)


def clock(text: str) -> int:
    """The first time of day in a text ("9:30 PM"), in minutes after midnight."""
    found = CLOCK.search(text)
    assert found is not None, text
    return int(found[1]) % 12 * 60 + int(found[2]) + (720 if found[3] == "P" else 0)

"""The method `chess` with scripted words over a small database."""

import json

import pytest

from evals.methods.chess import Chess, ValueIndex, ValueMatch, keywords, selected, selection_text, verdicts
from evals.methods.loop import MAX_MODEL_CALLS
from map_tools.embed.embedders import HashingEmbedder
from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import RequestContext
from tests.evals.methods.context import run, task
from tests.support.chat import ScriptedModel

COUNT = task("How many cafes are there in Middle?")
INSIDE = (
    "SELECT count(*) FROM pois p, regions r WHERE r.region_name = 'Middle' AND p.amenity = 'cafe'"
    " AND ST_Intersects(p.geometry, r.geometry)"
)
EVERYWHERE = "SELECT count(*) FROM pois WHERE amenity = 'cafe'"


def block(*queries: str) -> str:
    return "\n".join(f"```sql\n{query}\n```" for query in queries)


def asked(model: ScriptedModel, world: DuckDBDatabase) -> tuple[Answer, RequestContext]:
    return run(Chess(HashingEmbedder()), COUNT, model, database=world)


def ran(request_context: RequestContext) -> list[str]:
    """The agent's own queries in the trace; indexing is not among them."""
    return [span.attributes["sql"] for span in request_context.trace.spans if span.name == "sql"]


def test_four_agents_in_six_calls(sql_world: DuckDBDatabase) -> None:
    model = ScriptedModel(
        "cafes, Midle",
        json.dumps({"pois": ["amenity"], "regions": []}),
        block(EVERYWHERE, INSIDE),
        "1. counts inside Middle\nCandidate 1: fail, pass\nCandidate 2: pass, pass",
        "Answer: 2",
    )
    answer, request_context = asked(model, sql_world)
    assert (answer.status, answer.text) == (Status.ANSWERED, "2")
    assert model.labels == [
        "chess.chess_keywords",
        "chess.chess_schema",
        "chess.chess_candidates",
        "chess.chess_tests",
        "chess.sql_answer",
    ]
    assert ran(request_context) == [EVERYWHERE, INSIDE]
    assert "pois.amenity = 'cafe'" in model.prompt(2)
    assert "regions.region_name = 'Middle'" in model.prompt(2)
    assert "Table regions: id (bigint), region_name, geometry (geography)" in model.prompt(3)
    assert "Table parks" not in model.prompt(3)
    assert f"Query:\n{INSIDE}\nResult:\n" in model.prompt(5)


def test_candidates_that_agree_are_not_tested(sql_world: DuckDBDatabase) -> None:
    model = ScriptedModel("cafe", "{}", block(INSIDE, f"{INSIDE} AND p.tourism IS NULL"), "Answer: 2")
    answer, request_context = asked(model, sql_world)
    assert answer.text == "2"
    assert len(ran(request_context)) == 2
    assert "Table parks: " in model.prompt(3)


def test_failing_candidates_are_revised_once(sql_world: DuckDBDatabase) -> None:
    model = ScriptedModel(
        "cafe", "{}", block("SELECT count(*) FROM cafes", "SELECT x FROM pois"), block(INSIDE), "Answer: 2"
    )
    answer, request_context = asked(model, sql_world)
    assert answer.text == "2"
    assert "There is no table cafes." in model.prompt(4)
    assert ran(request_context)[-1] == INSIDE


def test_rubbish_ends_within_the_limit(sql_world: DuckDBDatabase) -> None:
    model = ScriptedModel(*["  "] * MAX_MODEL_CALLS)
    answer, request_context = asked(model, sql_world)
    assert ran(request_context) == []
    assert answer.status is Status.NOT_UNDERSTOOD


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("cafe, Middle", ("cafe", "Middle")),
        ('1. "cafe"\n2. Middle', ("cafe", "Middle")),
        ("- cafe\n- cafe\n-", ("cafe",)),
        ("", ()),
    ],
)
def test_reads_keywords(reply: str, words: tuple[str, ...]) -> None:
    assert keywords(reply) == words


def test_reads_verdicts() -> None:
    told = "Tests: ...\ncandidate 1: pass, fail\n**Candidate 2: PASSED, passes, fail**\nCandidate 7: pass"
    assert verdicts(told, 2) == [1, 2]


def test_what_the_words_meant_is_never_pruned(sql_world: DuckDBDatabase) -> None:
    schema = sql_world.schema()
    chosen = selected('{"pois": ["nothing"], "moons": ["x"]}', schema, ["pois.cuisine", "parks.leisure"])
    assert chosen == {"pois": {"id", "poi_name", "geometry", "cuisine"}}
    matches = (ValueMatch("pois.cuisine", "burger", 1.0), ValueMatch("parks.leisure", "park", 1.0))
    assert selection_text(chosen, schema, matches) == (
        "Table pois: id (bigint), poi_name, cuisine, geometry (geography)\n"
        "  pois.cuisine has the value 'burger'"
    )


VALUES = ("restaurant", "nature_reserve", "Saint Mary's Hospital", "Quay Lane", "")


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("restuarant", "restaurant"),
        ("nature reserve", "nature_reserve"),
        ("saint marys hospital", "Saint Mary's Hospital"),
        ("Quay Lnae", "Quay Lane"),
    ],
)
def test_near_values_are_found(word: str, value: str) -> None:
    index = ValueIndex(("t.c", one) for one in VALUES)
    (best, *_) = index.near(word)
    assert (best.column, best.value) == ("t.c", value)


@pytest.mark.parametrize("word", ["observatory", "", "?"])
def test_nothing_is_near_to_a_foreign_word(word: str) -> None:
    assert ValueIndex(("t.c", one) for one in VALUES).near(word) == ()


def test_hashing_misses_next_to_nothing_that_comparing_all_would_find() -> None:
    from rapidfuzz.distance import Levenshtein

    values = [f"{first} {second}" for first in ("alder", "birch", "cedar", "elm") for second in _TRADES]
    index = ValueIndex(("t.c", value) for value in values)
    slips = [value[:3] + value[4:] for value in values]
    wanted = [min(values, key=lambda value, slip=slip: Levenshtein.distance(slip, value)) for slip in slips]
    found = [next((match.value for match in index.near(slip)), "") for slip in slips]
    assert sum(a == b for a, b in zip(found, wanted, strict=True)) >= 0.97 * len(values)


_TRADES = ("bakery", "museum", "hospital", "library", "gallery", "stadium", "garden", "theatre", "station")

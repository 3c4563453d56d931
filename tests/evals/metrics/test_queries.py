"""Valid executions counted by query, from traces written by hand."""

from evals.runner.records import query_counts, query_figures
from mapagent.trace import Span
from modules.spatial_database.traced import SPAN


def spans(*errors: str) -> list[Span]:
    return [
        Span(number, None, SPAN, {"sql": "SELECT 1", "error": error}, 0.0)
        for number, error in enumerate(errors)
    ]


def test_queries_of_a_question_are_counted() -> None:
    other = Span(9, None, "tool", {"error": ""}, 0.0)
    assert query_counts([*spans("", "query", ""), other]) == {"queries": 3.0, "queries_ran": 2.0}


def test_a_question_without_queries_has_no_figures() -> None:
    assert query_counts([]) == {}
    assert query_figures([{"f1": 1.0}]) == {}


def test_every_query_counts_the_same_whatever_its_question() -> None:
    values = [query_counts(spans("", "", "")), query_counts(spans("query")), {"f1": 0.0}]
    assert query_figures(values) == {"queries": {"n": 4, "ran": 3, "ver": 0.75}}

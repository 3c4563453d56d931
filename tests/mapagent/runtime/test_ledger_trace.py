"""The ledger's budgets and the trace's two forms."""

import json
from pathlib import Path

import pytest

from map_tools.errors import LimitError
from mapagent.runtime.ledger import Ledger, Limits
from mapagent.runtime.trace import Trace


def test_the_call_budget_stops_before_the_call() -> None:
    ledger = Ledger(Limits(max_tool_calls=2))
    ledger.charge_tool()
    ledger.charge_tool()
    with pytest.raises(LimitError, match=r"limit of 2 map calls"):
        ledger.charge_tool()
    assert ledger.usage().tool_calls == 2


def test_the_money_budget_is_hard() -> None:
    ledger = Ledger(Limits(max_usd=0.01))
    ledger.charge_model(10, 5, cost_usd=0.008)
    with pytest.raises(LimitError, match=r"0.0100 USD"):
        ledger.charge_tool(cost_usd=0.005)
    usage = ledger.usage()
    assert (usage.cost_usd, usage.tool_calls, usage.prompt_tokens, usage.completion_tokens) == (
        0.008,
        0,
        10,
        5,
    )


def test_a_lost_call_counts_even_where_the_budget_does_not_hold_it() -> None:
    ledger = Ledger(Limits(max_usd=0.01))
    with ledger.reserve(0.008):
        ledger.lose(0.008)
        with pytest.raises(LimitError, match=r"0.0100 USD"):
            ledger.spend(0.0)
    assert (ledger.cost_usd, ledger.reserved_usd) == (0.008, 0.0)
    ledger.lose(0.008)
    assert ledger.cost_usd == 0.016


def test_time_left_never_goes_below_zero() -> None:
    moments = iter([1000.0, 1070.0, 1070.0])
    ledger = Ledger(Limits(deadline_s=60), timer=lambda: next(moments))
    assert ledger.elapsed_s == 70.0
    assert ledger.left_s == 0.0


def test_spans_nest_and_are_written_as_json_lines(tmp_path: Path) -> None:
    trace = Trace()

    def broken() -> None:
        with trace.span("ask"):
            with trace.span("tool", tool="Route") as inner:
                inner.attributes["facts"] = 2
            raise ValueError("boom")

    with pytest.raises(ValueError, match=r"boom"):
        broken()
    file = tmp_path / "trace.jsonl"
    trace.write(file)
    first, second = (json.loads(line) for line in file.read_text().splitlines())
    assert (first["name"], first["parent"], first["status"]) == ("ask", None, "ValueError")
    assert (second["parent"], second["attributes"]) == (first["id"], {"tool": "Route", "facts": 2})
    assert first["start_s"] <= second["start_s"] <= second["end_s"] <= first["end_s"]
    tree = trace.tree().splitlines()
    assert tree[0].startswith("ask (")
    assert tree[1].startswith("  tool (")

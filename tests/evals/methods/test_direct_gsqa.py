"""The model alone under GS-QA's rules."""

import pytest

from evals.methods.baselines import DirectGsqa
from map_tools.errors import ConfigError
from mapagent.answer import Status
from tests.evals.methods.desk import run, task
from tests.support.scripted_model import ScriptedModel


def test_rules_and_question_and_nothing_else() -> None:
    model = ScriptedModel(" Old Mill \n")
    answer, account = run(DirectGsqa(), task("Which mill is nearest?"), model)
    assert (answer.status, answer.text) == (Status.ANSWERED, "Old Mill")
    assert account.ledger.llm_calls == 1
    (request,) = model.asked
    assert [message.role for message in request] == ["system", "user"]
    assert "metric" in request[0].text
    assert request[1].text == "Which mill is nearest?"


def test_an_empty_reply_is_no_answer() -> None:
    answer, _ = run(DirectGsqa(), task("Which mill is nearest?"), ScriptedModel("  "))
    assert answer.status is Status.NOT_UNDERSTOOD


def test_it_needs_a_model() -> None:
    with pytest.raises(ConfigError, match="--model"):
        run(DirectGsqa(), task("Which mill is nearest?"), None)

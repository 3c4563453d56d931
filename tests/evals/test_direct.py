"""The model alone, asked once."""

import anyio

from evals.methods.baselines import Direct
from evals.ports import Desk, Task
from mapagent.answer import Answer, Status
from mapagent.config import Settings
from mapagent.ports import Account
from mapagent.question import Question
from tests.support.scripted_model import ScriptedModel

TASK = Task(
    question=Question(text="Which is nearer?", options=("North Mill", "Copper Inn"), context="The inn is.")
)


def ask(model: ScriptedModel) -> tuple[Answer, Account]:
    async def main() -> tuple[Answer, Account]:
        account = Account()
        return await Direct().answer(TASK, Desk(Settings(), model=model), account), account

    return anyio.run(main)


def test_one_request_with_context_question_and_options() -> None:
    model = ScriptedModel("^^2^^")
    answer, account = ask(model)
    assert (answer.option, answer.text) == ("B", "Copper Inn")
    assert account.ledger.llm_calls == 1
    for words in ("The inn is.", "Which is nearer?", "North Mill", "Copper Inn", "Unanswerable"):
        assert words in model.prompt(1)


def test_a_refusal_and_a_reply_that_says_nothing() -> None:
    assert ask(ScriptedModel("^^0^^"))[0].status is Status.UNANSWERABLE
    assert ask(ScriptedModel("Hard to say."))[0].status is Status.NOT_UNDERSTOOD

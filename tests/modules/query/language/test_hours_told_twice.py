"""Hours told in two rules of times alone are both, to the interpreter and to its verifier."""

from mapagent.core.answer import Status
from tests.modules.query.language.running import run
from tests.modules.query.verify.town import _place

SHOP = _place("Bike Shop", "bicycle_shop", 40, 40, hours="09:00-12:30; 14:30-19:00; Su off")


def test_both_spans_of_a_day_are_told() -> None:
    done = run('answer(hours("Bike Shop", "Mon"), sunday=is_open("Bike Shop", "Sun 10:00"))', SHOP)
    answer = done.answer()
    assert not done.rejections
    assert answer.status is Status.ANSWERED, answer.reason
    assert all(clock in answer.text.replace(":", "") for clock in ("900", "1230", "1430", "1900"))
    assert answer.parts["sunday"].text == "No"

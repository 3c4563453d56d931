import gc

from mapagent.ports import Account
from modules.llm.per_question import PerQuestion


def test_what_is_kept_belongs_to_one_account() -> None:
    kept: PerQuestion[int] = PerQuestion()
    one, other = Account(), Account()
    kept.put(one, 1)
    assert kept.get(one) == 1
    assert kept.get(other) is None


def test_a_later_value_replaces_the_earlier_one() -> None:
    kept: PerQuestion[str] = PerQuestion()
    account = Account()
    kept.put(account, "a")
    kept.put(account, "b")
    gc.collect()
    assert kept.get(account) == "b"


def test_a_finished_question_is_forgotten() -> None:
    kept: PerQuestion[int] = PerQuestion()
    for number in range(100):
        kept.put(Account(), number)
    gc.collect()
    assert len(kept) == 0

"""Names of states and their codes, which addresses use in place of each other."""

from functools import lru_cache

from map_tools.text import normalise
from modules.spatial_database.vocabulary import read_data


def is_state(words: str) -> bool:
    """True for the name or the code of a state ("Ohio", "OH")."""
    return _plain(words) in _codes()


def area_forms(area: str) -> frozenset[str]:
    """An area's name in comparable form, and its code if it has one."""
    plain = _plain(area)
    return frozenset({plain, _codes().get(plain, plain)})


def _plain(words: str) -> str:
    """The words in comparable form; "D.C." is written "DC" too."""
    return normalise(words.replace(".", ""))


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    """Names by codes and codes by names, in comparable form."""
    codes = read_data("states.toml")["codes"]
    forward = {normalise(code): normalise(name) for code, name in codes.items()}
    return forward | {name: code for code, name in forward.items()}

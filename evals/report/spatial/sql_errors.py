"""The class of an SQL error, from the sentence the database says (`sql_errors.toml`)."""

import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files

from evals.report.spatial.traced import Query

OTHER = "other"
EMPTY = "no rows"
"""A query that ran and found nothing."""


def error_class(message: str) -> str:
    """The class of an error's sentence."""
    return next((name for name, parts in _classes() if any(part in message for part in parts)), OTHER)


def classes_of(queries: Iterable[Query]) -> Counter[str]:
    """How many queries failed, by class, and how many ran and found nothing."""
    return Counter(
        error_class(query.message) if query.error else EMPTY
        for query in queries
        if query.error or query.rows == 0
    )


def class_names() -> tuple[str, ...]:
    """All classes in the order of the tables."""
    return (*(name for name, _ in _classes()), OTHER, EMPTY)


@lru_cache(maxsize=1)
def _classes() -> tuple[tuple[str, tuple[str, ...]], ...]:
    data = tomllib.loads((files(__package__) / "sql_errors.toml").read_text("utf-8"))
    return tuple((entry["name"], tuple(entry["says"])) for entry in data["class"])

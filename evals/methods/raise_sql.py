"""RAISE: a ReAct agent that explores schema and data before it answers (Granado et al. 2025).

Paper: https://arxiv.org/abs/2506.01273, as Geo-ReAct uses it (section 5.3): thought, action, observation with
the four actions GenerateSQL, RefineSQL, InspectSchema and Finish; the rows of the last query that ran go into
the answer where the agent does not finish by itself.

Necessarily changed: six calls of the model instead of ten, the last of which answers; a repeated action ends
the acting, since the same query gives the same rows.
"""

import re
from typing import Any

from evals.methods.loop import Attempt
from evals.methods.parsing import json_objects
from evals.methods.react import STOP, finish
from evals.methods.sql_desk import SQL_TOKENS, SqlDesk, SqlMethod
from map_tools.errors import QueryError
from map_tools.spatial_db.observations import listing, nearest_tables
from map_tools.spatial_db.statistics import ColumnStatistics, column_statistics
from modules.spatial_database.sql_text import read_sql

NO_ACTION = "No action could be read. Write Action: GenerateSQL[SELECT ...] or Action: Finish[answer]."
REPEATED = "This was done before; its observation stands above."
MAX_COLUMNS = 12
"""Columns whose statistics are shown at once; those without any value are left out first."""

_ACTION = re.compile(r"Action(?:\s+\d+)?\s*:\s*(\w+)\s*([\[(:]?)", re.IGNORECASE)
_CLOSING = {"[": "]", "(": ")"}
_WRITING = frozenset({"generatesql", "refinesql"})


class Raise(SqlMethod):
    """The method `raise`."""

    name = "raise"

    async def work(self, attempt: Attempt, sql: SqlDesk) -> str:
        """Acts until it finishes, repeats itself or has one call left for the answer."""
        done: set[str] = set()
        number = 0
        while attempt.calls_left > 1:
            number += 1
            reply = await attempt.ask("raise_step", max_tokens=SQL_TOKENS, stop=STOP, number=str(number))
            attempt.note(reply)
            answer = finish(reply)
            if answer is not None:
                return answer
            action = _action(reply)
            if action in done:
                attempt.note(f"Observation {number}: {REPEATED}")
                break
            done.add(action)
            attempt.note(f"Observation {number}: {await _observation(action, sql)}")
        return await attempt.conclude("sql_answer")


def _action(reply: str) -> str:
    """The name of the action in one line, and below it what it is done to; empty if there is none.

    Generating and refining do the same to the database, so a query is repeated whatever it is called.
    """
    found = _ACTION.search(reply)
    if found is None:
        return ""
    rest, name = reply[found.end() :], found[1].lower()
    end = rest.rfind(_CLOSING[found[2]]) if found[2] in _CLOSING else -1
    words = rest if end < 0 else rest[:end]
    return f"sql\n{read_sql(words)}" if name in _WRITING else f"{name}\n{words.strip()}"


async def _observation(action: str, sql: SqlDesk) -> str:
    kind, _, words = action.partition("\n")
    if kind == "sql" and words:
        return sql.show(await sql.run(words))
    if kind == "inspectschema":
        return await inspected(words, sql)
    return NO_ACTION


async def inspected(words: str, sql: SqlDesk) -> str:
    """The statistics of the columns that a call of InspectSchema names."""
    arguments: dict[str, Any] = next(iter(json_objects(words)), {})
    schema = sql.database.schema()
    name = str(arguments.get("table") or words.strip(" \n[]()\"'"))
    table = schema.table(name)
    if table is None:
        return f"There is no table {name[:60]}. Did you mean {listing(nearest_tables(name, schema))}?"
    listed = arguments.get("columns")
    columns = [str(column) for column in listed] if isinstance(listed, list) else []
    try:
        found = await column_statistics(sql.database, table, columns, timeout_s=sql.setting.timeout_s)
    except QueryError as error:
        return str(error)
    told = [one for one in found if columns or one.null_share < 1][:MAX_COLUMNS]
    return "\n".join(map(_told, told))


def _told(column: ColumnStatistics) -> str:
    distinct = "" if column.distinct is None else f", {column.distinct} different values"
    common = f", often {', '.join(map(repr, column.common))}" if column.common else ""
    return f"{column.name} ({column.type}): {column.null_share:.0%} null{distinct}{common}"

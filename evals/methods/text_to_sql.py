"""Text-to-SQL: one query in a single pass, and an answer from its rows.

GS-QA's second baseline (Saeedan et al., section 4.2, figure 4), as Geo-ReAct uses it (section 5.1): schema
and PostGIS conventions stand in the system prompt, the model writes one query in a fenced block, an error is
recorded and never fed back, and the rows are put before the model for an answer.

Necessarily changed: the answer is read by the suite's own reader instead of by a second model that turns it
into JSON; numbers may be written in digits and unrounded, for GS-QA's fourth rule (words, rounded to tens)
makes small counts wrong.
"""

from evals.methods.loop import Attempt
from evals.methods.sql_desk import SQL_TOKENS, Execution, SqlDesk, SqlMethod
from modules.spatial_database.sql_text import read_sql

NO_QUERY = "No query could be read."


class TextToSql(SqlMethod):
    """The method `text-to-sql`."""

    name = "text-to-sql"

    async def work(self, attempt: Attempt, sql: SqlDesk) -> str:
        """Writes a query, runs it, answers."""
        query = read_sql(await attempt.ask("text_to_sql_query", max_tokens=SQL_TOKENS))
        found = await sql.run(query) if query else Execution("", problem=NO_QUERY)
        attempt.note(f"Query:\n{query}\nResult:\n{sql.show(found)}")
        return await attempt.conclude("sql_answer")

"""A text as the tree of one query."""

import sys
from functools import lru_cache
from itertools import accumulate

import sqlglot
from sqlglot import exp
from sqlglot.dialects import Postgres
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.parsers.postgres import PostgresParser
from sqlglot.tokenizer_core import Token, TokenType

from map_tools.errors import QueryRefusedError

MAX_CHARACTERS = 100_000
"""A query with an outline of some thousand points in it is still well below."""
_NESTING = (
    # The parser and the engines recurse.
    (
        frozenset({TokenType.L_PAREN, TokenType.CASE, TokenType.L_BRACKET}),
        frozenset({TokenType.R_PAREN, TokenType.END, TokenType.R_BRACKET}),
        100,
        "parentheses, brackets and CASE",
    ),
    # PostgreSQL's arrays have six dimensions at most (MAXDIM in its array.h).
    (frozenset({TokenType.L_BRACKET}), frozenset({TokenType.R_BRACKET}), 6, "brackets"),
)
"""What opens a level, what closes it, how many levels there may be, and what they are called."""
_MAX_STEPS = 100_000
"""From token to token. The parser reads what stands in ARRAY[...] or date(...) twice, the first time as a type, so that
each level doubles the steps; plain SQL takes one or two for each token."""
_ONE = "Write one SELECT (or WITH ... SELECT) and nothing else."
_BEGINNINGS = frozenset({TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN})


@lru_cache(maxsize=1)
def _dialect() -> Postgres:
    return Postgres()


class _Parser(PostgresParser):
    """Counts its steps: from the tokens alone it cannot be told what it will read again."""

    _steps = 0

    def _advance(self, times: int = 1) -> None:
        self._steps += 1
        if self._steps > _MAX_STEPS:
            raise QueryRefusedError(
                f"Reading the SQL takes more than {_MAX_STEPS} steps.",
                "Write it shorter, with fewer arrays and types inside one another.",
            )
        super()._advance(times)


def parse(sql: str) -> exp.Query:
    """The tree of a text that is one SELECT statement in PostgreSQL's grammar.

    Raises:
        QueryRefusedError: It is empty, too long or too deep, not a query, several statements, or cannot be read.
    """
    if len(sql) > MAX_CHARACTERS:
        raise QueryRefusedError(
            f"The SQL has {len(sql)} characters; {MAX_CHARACTERS} are allowed.",
            "Refer to outlines by id: (SELECT geometry FROM regions WHERE id = ...).",
        )
    if "\x00" in sql:
        raise QueryRefusedError(
            "The SQL has a character that PostgreSQL does not allow (NUL).", "Leave it out."
        )
    try:
        tokens = _dialect().tokenize(sql)
        _check_tokens(tokens)
        statements = [tree for tree in _Parser(dialect=_dialect()).parse(tokens, sql) if tree is not None]
    except ParseError as error:
        raise QueryRefusedError(_where(error), "Write PostgreSQL's SELECT syntax.") from error
    except SqlglotError as error:
        raise QueryRefusedError(
            "The SQL cannot be read: a quote or a comment is not closed.", "Close it."
        ) from error
    except IndexError as error:  # of the parser's own builders, of levenshtein_less_equal() and var_map(1)
        raise QueryRefusedError(
            "A function of the SQL has another number of arguments.", "Give it those that PostgreSQL defines."
        ) from error
    except RecursionError as error:
        raise _too_many_calls() from error
    tree = statements[0]
    if not isinstance(tree, exp.Query):
        raise _not_a_query(tree.key.upper())
    return _folded(tree)


def _folded(tree: exp.Query) -> exp.Query:
    """Names as PostgreSQL reads them: small letters unless quoted, so that "PG_USER" is another name than PG_USER."""
    for name in tree.find_all(exp.Identifier):
        if not name.quoted:
            name.set("this", name.name.lower())
    return tree


def _check_tokens(tokens: list[Token]) -> None:
    if not tokens:
        raise QueryRefusedError("There is no SQL.", _ONE)
    if tokens[0].token_type not in _BEGINNINGS:
        raise _not_a_query(tokens[0].text.upper())
    kinds = [token.token_type for token in tokens]
    if TokenType.SEMICOLON in kinds and set(kinds[kinds.index(TokenType.SEMICOLON) :]) != {
        TokenType.SEMICOLON
    }:
        raise QueryRefusedError("There is more than one statement.", _ONE)
    for opening, closing, most, called in _NESTING:
        if max(accumulate((kind in opening) - (kind in closing) for kind in kinds)) > most:
            raise _too_deep(f"{most} levels of {called} are allowed")


def _where(error: ParseError) -> str:
    """A parser's error as one sentence."""
    first = error.errors[0] if error.errors else {}
    near = " ".join(
        str(first.get(part, "")) for part in ("start_context", "highlight", "end_context")
    ).split()
    line = f" in line {first['line']}" if first.get("line") else ""
    shown = f" near '{' '.join(near)[-80:]}'" if near else ""
    return f"The SQL cannot be parsed{line}{shown}: {first.get('description', error)}."


def _not_a_query(beginning: str) -> QueryRefusedError:
    return QueryRefusedError(f"{beginning[:40]} is not allowed: the database can only be read.", _ONE)


def _too_deep(limit: str) -> QueryRefusedError:
    return QueryRefusedError(
        f"The SQL is nested too deeply: {limit}.", "Write it with fewer parentheses and brackets."
    )


def _too_many_calls() -> QueryRefusedError:
    return _too_deep(f"it takes more than {sys.getrecursionlimit()} calls inside one another")


def write(tree: exp.Expr, dialect: str) -> str:
    """A tree as SQL of a dialect ("postgres", "duckdb"), without comments.

    Raises:
        QueryRefusedError: The dialect has no way to say it.
    """
    try:
        return tree.sql(dialect, comments=False, unsupported_level=sqlglot.ErrorLevel.RAISE)
    except SqlglotError as error:
        raise QueryRefusedError(
            f"The SQL cannot be written for this engine: {error}.", "Write it otherwise."
        ) from error
    except RecursionError as error:
        raise _too_many_calls() from error

"""Decides what SQL may run at all: an allow-list of syntax, functions, types and tables on the parsed tree.

What is checked is what runs: the engine is given SQL that is written anew from the tree, never the text.
So nothing that a comment, a quoting trick or an unusual encoding hides can get past the checks.
"""

from sqlglot import exp

from map_tools.spatial_db.guard.checks import check
from map_tools.spatial_db.guard.parsing import parse
from map_tools.spatial_db.port import Schema


def checked(sql: str, schema: Schema) -> exp.Query:
    """The tree of one SELECT statement that may run on these tables.

    Raises:
        QueryRefusedError: It is no such statement; says what is not allowed and what to write instead.
        QueryError: It names a column that there is not.
    """
    tree = parse(sql)
    check(tree, schema)
    return tree

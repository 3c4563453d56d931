"""Fixtures of the tests of questions over a spatial database."""

from tests.support.sql_world import sql_world

__all__ = ["sql_world"]

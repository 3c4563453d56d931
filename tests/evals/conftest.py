"""Fixtures of the tests of evaluations."""

from tests.support.sql_world import sql_world

__all__ = ["sql_world"]

"""Tests of map_tools.wire."""

"""Tests of map_tools.tools."""

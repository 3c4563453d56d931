"""Tests of map_tools."""

"""Tests of map_tools.providers."""

"""Tests of map_tools.maps.search."""

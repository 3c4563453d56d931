"""Tests of map_tools.maps.making."""

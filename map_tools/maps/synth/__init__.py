"""Synthetic cities: invented maps whose whole truth is known, from the same seed always the same ones."""

from map_tools.maps.synth.build import synth

__all__ = ["synth"]

"""Tests of the spatial databases."""

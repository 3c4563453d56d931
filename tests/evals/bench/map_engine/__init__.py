"""Tests of the benchmark of map engines."""

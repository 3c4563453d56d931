"""Tests of the generators of benchmarks."""

"""Tests of the deterministic computations."""

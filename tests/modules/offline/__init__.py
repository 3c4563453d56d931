"""Tests of the embedded reasoner."""

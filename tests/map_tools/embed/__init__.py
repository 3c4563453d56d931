"""Tests of the embedding port."""

"""Tests of the generator of wishes for recommendations."""

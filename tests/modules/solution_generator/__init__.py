"""Tests of the solution generator."""

"""Tests of the planner for language models."""

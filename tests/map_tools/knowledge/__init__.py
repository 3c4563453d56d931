"""Tests of external knowledge."""

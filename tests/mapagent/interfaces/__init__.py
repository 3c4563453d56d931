"""Tests of the faces."""

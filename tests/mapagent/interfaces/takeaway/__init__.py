"""Tests of what is taken away of answers."""

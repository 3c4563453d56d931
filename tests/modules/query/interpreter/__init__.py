"""Tests of the interpreter's parts."""

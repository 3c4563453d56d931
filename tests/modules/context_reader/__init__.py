"""Tests of the reader of supplied text."""

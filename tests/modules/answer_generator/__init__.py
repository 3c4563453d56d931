"""Tests of option matching, verification and the answer generator."""

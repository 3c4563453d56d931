"""Tests of reading and locating map pictures."""

"""Figures of an evaluation, one family a file."""

"""Recorded worlds built from the texts of a benchmark."""

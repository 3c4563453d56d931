"""Reads questions without a language model: a small learned reader that writes programs, and its normalisers."""

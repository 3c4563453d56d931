"""Vocabulary of the answer generator, as data."""

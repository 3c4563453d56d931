"""Vocabulary of the spatial database: kinds, attributes, states, repairs of SQL."""

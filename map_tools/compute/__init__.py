"""Deterministic computations on typed facts: geodesy, opening hours, itineraries, route steps, quantities."""

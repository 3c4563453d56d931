"""Writes programs: what the embedded grammar read becomes a program of the query language.

Scaffolding: it goes with the grammar, when a learned reader writes programs by itself.
"""

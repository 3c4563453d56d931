"""Texts as vectors: embedders, and an exact index over vectors."""

"""Wishes for recommendations with withheld truth: over listings of guides, and over any map."""

from typing import Literal

type Source = Literal["wikivoyage", "myhelsinki"]
SOURCES: tuple[Source, ...] = ("wikivoyage", "myhelsinki")
"""Whose listings can be read (`evals.generate.recommend.listings`)."""

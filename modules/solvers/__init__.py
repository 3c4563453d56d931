"""Solvers: what the facts of a question come to. Language is understood elsewhere; this is computation."""

from modules.solvers.registry import solve

__all__ = ["solve"]

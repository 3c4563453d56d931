"""Solvers: what the facts of a question come to. Language is understood elsewhere; here everything is computed."""

from modules.solvers.registry import solve

__all__ = ["solve"]

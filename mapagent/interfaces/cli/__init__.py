"""Faces of the agent."""

"""Geo-ReAct: thought, tool, observation over the concept tools of a spatial database."""

"""Tests of the spatial database in memory."""

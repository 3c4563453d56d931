"""Tests of mapagent."""

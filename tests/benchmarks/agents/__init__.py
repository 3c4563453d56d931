"""Tests of the agents benchmark."""

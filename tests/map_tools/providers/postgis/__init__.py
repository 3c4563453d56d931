"""Tests of the provider over a PostGIS database."""

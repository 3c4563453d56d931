"""Tests of the provider contract."""

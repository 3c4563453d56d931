"""Tests of the recommender."""

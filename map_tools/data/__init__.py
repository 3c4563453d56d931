"""Vocabulary as data: category ids with their words and OpenStreetMap tags, and cuisines."""

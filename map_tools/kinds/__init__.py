"""The kinds of places: category ids with their words and OpenStreetMap tags, and the properties places have."""

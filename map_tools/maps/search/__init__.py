"""Finding the features of a map by name or address."""

"""Synthetic cities, and the rest of the map measured against their truth."""

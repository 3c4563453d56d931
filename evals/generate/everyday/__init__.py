"""Everyday questions over any map, in the form of the suite `everyday`."""

"""Plans of a day with hard constraints over a map, some of which cannot be kept together."""

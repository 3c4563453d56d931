"""Questions in people's own words, asked of real maps; the answers are worked out here from the raw data."""

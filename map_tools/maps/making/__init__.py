"""Making a map of an extract, and bringing it up to date."""

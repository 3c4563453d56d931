"""The providers `google` and `google-legacy`, on replies written by hand in Google's documented shapes."""

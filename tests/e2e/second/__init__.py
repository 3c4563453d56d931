"""A second set of end-to-end questions, on other maps and in other words than the first."""

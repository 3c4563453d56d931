"""Runs programs: rounds of evaluation over facts, and of fetching what is still needed."""

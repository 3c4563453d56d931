"""The tables of papers and their comparison with ours."""

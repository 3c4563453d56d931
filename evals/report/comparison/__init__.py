"""The tables and figures of four papers, as printed, beside the figures of our own runs."""

"""Operators, checked one by one: what a call claims against what its arguments and the facts it cites give."""

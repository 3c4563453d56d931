"""Queries about ways, with the tool calls that answer them and the replies to those."""

"""Tests of servers that fail on purpose, and of what the product makes of them."""

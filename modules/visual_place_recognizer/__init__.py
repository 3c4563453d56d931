"""Reads map pictures: what they show, where they are, and what can be answered from them."""

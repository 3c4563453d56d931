"""Derivations that were tampered with, over a real map: verification lets none of them leave."""

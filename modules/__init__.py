"""Modules that carry out the steps of a plan, and the reasoners that understand language."""

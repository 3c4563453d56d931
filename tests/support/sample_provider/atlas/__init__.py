"""The map provider atlas."""

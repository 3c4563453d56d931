"""Reads supplied text (place facts, nearby lists, routes, travel times) into typed evidence."""

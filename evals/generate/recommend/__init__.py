"""Wishes for recommendations with withheld truth: over listings of guides, and over any map."""

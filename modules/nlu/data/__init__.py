"""The trained reader."""

"""Tests of the emulator of Google's map services."""

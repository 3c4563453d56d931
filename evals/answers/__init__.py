"""Reads an agent's answer, typed or in words, into GS-QA's answer schema."""

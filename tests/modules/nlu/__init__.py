"""Tests of the learned reader."""

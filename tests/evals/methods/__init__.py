"""Tests of the methods under test."""

"""The examples printed in the papers, as tests."""

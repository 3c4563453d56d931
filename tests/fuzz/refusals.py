"""What a refusal must tell."""

from map_tools.errors import MapAgentError


def assert_told(error: MapAgentError, *words: str, remedy: bool = True) -> None:
    """The error names the thing with these words and, where there is one, says what to do."""
    assert error.message
    for word in words:
        assert word in error.message
    assert error.remedy or not remedy

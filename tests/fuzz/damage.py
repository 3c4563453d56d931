"""Sound content made unsound: bytes and JSON as a bad disk, a bad line or a careless hand leaves them.

And what a refusal of it must tell.
"""

from typing import Any

from hypothesis import strategies as st

from map_tools.errors import MapAgentError

ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 91, 1e308, -1e308, float("inf"), float("nan"), 10**30, "", " ", "0", "a",
    "\x00", "\ud800", "\u202e", "9" * 400, "Mars", [], {}, [[]], [None], {"": None}, [1, 2, 3], {"lat": 1},
    ["Monday"],
)  # fmt: skip
"""What stands where something else is expected."""


@st.composite
def damaged(draw: st.DrawFn, whole: bytes, *, keep: int = 0) -> bytes:
    """The content with one to four damages behind its first `keep` bytes."""
    content = bytearray(whole)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(keep, max(keep, len(content) - 1)))
        length = draw(st.sampled_from((1, 1, 2, 4, 16, 300)))
        match draw(st.sampled_from(("flip", "noise", "zero", "cut", "drop", "double"))):
            case "flip" if at < len(content):
                content[at] ^= 1 << draw(st.integers(0, 7))
            case "noise":
                content[at : at + length] = draw(st.binary(min_size=length, max_size=length))
            case "zero":
                content[at : at + length] = bytes(length)
            case "cut":
                del content[at:]
            case "drop":
                del content[at : at + length]
            case "double":
                content[at:at] = content[at : at + length]
    return bytes(content)


@st.composite
def mistaken(draw: st.DrawFn, value: Any) -> Any:
    """The JSON value with one to three of its parts left out, renamed, doubled or replaced by odd ones."""
    for _ in range(draw(st.integers(1, 3))):
        value = _mistaken(draw, value)
    return value


def _mistaken(draw: st.DrawFn, value: Any) -> Any:
    """A copy with one mistake somewhere in it: here, or in one of its parts."""
    if not isinstance(value, dict | list) or not value or draw(st.integers(0, 7)) == 0:
        return draw(st.sampled_from(ODD_VALUES))
    if isinstance(value, list):
        parts = list(value)
        at = draw(st.integers(0, len(parts) - 1))
        match draw(st.integers(0, 5)):
            case 0:
                del parts[at]
            case 1:
                parts.insert(at, parts[at])
            case _:
                parts[at] = _mistaken(draw, parts[at])
        return parts
    fields = dict(value)
    name = draw(st.sampled_from(sorted(fields)))
    match draw(st.integers(0, 6)):
        case 0:
            del fields[name]
        case 1:
            fields[f"{name}s"] = fields.pop(name)
        case _:
            fields[name] = _mistaken(draw, fields[name])
    return fields


def assert_told(error: MapAgentError, *words: str, remedy: bool = True) -> None:
    """The error names the thing with these words and, where there is one, says what to do."""
    assert error.message
    for word in words:
        assert word in error.message
    assert error.remedy or not remedy

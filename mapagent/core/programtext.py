"""Texts as programs of the query language write them."""

MAX_STRING_CHARS = 300
"""A text of a program has no more, its escapes included."""


def quoted(text: str, *, cut: bool = True) -> str:
    """A text in quotes, with escapes. Line breaks become blanks.

    Args:
        text: Any text.
        cut: What is longer than a text may be is cut; else the language refuses the program that it stands in.
    """
    plain = " ".join(text.splitlines())
    longest = min(len(plain), MAX_STRING_CHARS) if cut else len(plain)
    escaped = _escaped(plain[:longest])
    while cut and len(escaped) > MAX_STRING_CHARS:
        longest -= 1
        escaped = _escaped(plain[:longest])
    return f'"{escaped}"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')

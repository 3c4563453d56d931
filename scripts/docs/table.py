"""Texts inside tables of Markdown."""


def cell(text: str) -> str:
    """The first paragraph on one line, its bars and angle brackets taken literally."""
    first = " ".join(text.split("\n\n", maxsplit=1)[0].split())
    return first.replace("|", "\\|").replace("<", "&lt;")

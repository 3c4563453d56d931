"""One line of supplied text: its plain words, its bullet, its emphasis, and the remarks inside it."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

_TAG = r"/?(?:a|b|big|br|div|em|font|h[1-6]|i|li|ol|p|small|span|strong|sub|sup|u|ul|wbr)\b[^<>]*"
_ANY_TAG = re.compile(rf"<{_TAG}>", re.IGNORECASE)
_REMARK = re.compile(r"<div\b[^<>]*>(.*?)</div\s*>", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"<(?:br|/p|/li)\b[^<>]*>", re.IGNORECASE)
_BOLD = re.compile(r"<(b|strong)\b[^<>]*>(.*?)</\1\s*>|\*\*(.+?)\*\*", re.IGNORECASE | re.DOTALL)
_BULLET = re.compile(
    r"(?:(?P<number>\d{1,3})[.)](?=\s)|(?P<heading>#{1,6})(?=\s)|(?P<mark>[-*•◦▪‣·+–—])(?=[^\d.-]))\s*"
)
_INVISIBLE = dict.fromkeys(
    [0x200B, 0x200E, 0x200F, 0xFEFF, 0x2060, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)
_MAX_MARKUP_CHARS = 4000
"""In longer lines markup is taken out but not interpreted, as unclosed tags would take very long."""
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not empty.

    Attributes:
        raw: As written, without the spaces at its ends.
        text: Plain words: no markup, no bullet, single ordinary spaces.
        indent: Number of leading spaces.
        number: The number of a numbered item ("3." → 3).
        bulleted: True for an item marked by a dash, a dot or the like.
        lead: The emphasised words the line begins with ("" if none): usually a name.
        notes: Remarks that stand in blocks of their own inside the line.
        blank_before: True if an empty line precedes.
    """

    raw: str
    text: str
    indent: int = 0
    number: int | None = None
    bulleted: bool = False
    lead: str = ""
    notes: tuple[str, ...] = ()
    blank_before: bool = False

    @property
    def plain(self) -> bool:
        """True if the line is no item of a list."""
        return self.number is None and not self.bulleted

    @property
    def title(self) -> str:
        """The text without the colon or full stop at its end."""
        return self.text.rstrip(":. ")

    @property
    def announces(self) -> bool:
        """True if the line ends with a colon: something follows."""
        return self.text.endswith(":")


def read_lines(text: str) -> tuple[Line, ...]:
    """Splits a text into its lines; empty ones are remembered by the line that follows."""
    return tuple(_lines(text))


def _lines(text: str) -> Iterator[Line]:
    blank = False
    for raw in _BREAK.sub("\n", text).splitlines():
        line = _line(raw, blank_before=blank)
        blank = line is None
        if line is not None:
            yield line


def _line(raw: str, *, blank_before: bool) -> Line | None:
    body = raw.expandtabs(4)
    if not body.isascii():
        body = body.translate(_INVISIBLE)
    stripped = body.lstrip()
    indent = len(body) - len(stripped)
    stripped = stripped.rstrip()
    bullet = _BULLET.match(stripped) if not stripped.startswith("**") else None
    rest = stripped[bullet.end() :] if bullet else stripped
    marked = "<" in rest or "**" in rest
    short = len(rest) <= _MAX_MARKUP_CHARS
    lead = _BOLD.match(rest) if marked and short else None
    remarks = _REMARK.findall(rest) if marked and short else []
    notes = tuple(filter(None, map(plain_text, remarks)))
    words = plain_text(_REMARK.sub(" ", rest) if notes else rest)
    if not words and not notes:
        return None
    return Line(
        raw=raw.strip(),
        text=words,
        indent=indent,
        number=int(bullet["number"]) if bullet and bullet["number"] else None,
        bulleted=bool(bullet and bullet["mark"]),
        lead=plain_text(lead[2] or lead[3] or "").rstrip(":") if lead else "",
        notes=notes,
        blank_before=blank_before,
    )


def plain_text(text: str) -> str:
    """Takes out markup and squeezes spaces; `<Name>` in angle brackets is no markup and stays."""
    if "<" in text:
        text = _ANY_TAG.sub("", text)
    if "&" in text:
        text = html.unescape(text)
    text = text.replace("**", "").replace("\\_", "_").replace("\\#", "#")
    return _SPACES.sub(" ", text).strip()

"""The file formats that answers are saved in."""

import json
from datetime import UTC, datetime
from enum import StrEnum

from mapagent.interfaces.takeaway.findings import Findings
from mapagent.interfaces.takeaway.ground import Ground


class Format(StrEnum):
    """A format, by the ending of its files."""

    GEOJSON = "geojson"
    GPX = "gpx"
    ICS = "ics"
    PNG = "png"

    @property
    def media_type(self) -> str:
        """Its name on the web (RFC 7946, section 12; RFC 5545, 8.1; GPX has none that is registered)."""
        return _MEDIA_TYPES[self]


_MEDIA_TYPES = {
    Format.GEOJSON: "application/geo+json",
    Format.GPX: "application/gpx+xml",
    Format.ICS: "text/calendar; charset=utf-8",
    Format.PNG: "image/png",
}


def made(form: Format, findings: Findings, ground: Ground | None = None) -> bytes:
    """The content of a file.

    Args:
        form: In which format.
        findings: What there is to see.
        ground: The map beneath a picture.

    Raises:
        UsageError: There is nothing that this format could hold.
    """
    match form:
        case Format.GEOJSON:
            text = json.dumps(findings.geojson(), ensure_ascii=False, indent=1)
        case Format.GPX:
            from mapagent.interfaces.takeaway.gpx import gpx_of

            text = gpx_of(findings)
        case Format.ICS:
            from mapagent.interfaces.takeaway.icalendar import calendar_of

            text = calendar_of(findings, datetime.now(UTC))
        case Format.PNG:
            from mapagent.interfaces.takeaway.picture import png_of

            return png_of(findings, ground)
    return text.encode(errors="replace")

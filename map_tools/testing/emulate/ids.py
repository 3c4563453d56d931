"""Place ids: any provider's id as an opaque one that looks like Google's, and back.

Google's ids are opaque text without a fixed length
(https://developers.google.com/maps/documentation/places/web-service/place-id). Ours hold the provider's own
id, so they stay the same from run to run and need no table.
"""

import base64

_PREFIX = "ChIJ"
"""How most of Google's ids begin."""


def google_id(place_id: str) -> str:
    """The id a client is given for a provider's place."""
    return _PREFIX + base64.urlsafe_b64encode(place_id.encode()).decode().rstrip("=")


def own_id(given: str) -> str | None:
    """The provider's id behind one of ours; None for an id that this emulator never gave."""
    if not given.startswith(_PREFIX):
        return None
    body = given.removeprefix(_PREFIX)
    try:
        decoded = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        return decoded.decode()
    except ValueError:  # no base64, or no text in it
        return None

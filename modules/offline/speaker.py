"""Questions asked for somebody else as if asked for oneself: so the vocabulary words them all."""

import re

_OTHERS = re.compile(
    r"\b(?:he|she|they)\b|\b(?P<verb>can|could|does?|should|would|will|must|may|shall) one\b"
)


def as_speaker(text: str) -> str:
    """A question in small letters with "i" for him, her and them ("where does she turn")."""
    return _OTHERS.sub(lambda found: f"{found['verb']} i" if found["verb"] else "i", text)

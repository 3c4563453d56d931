"""Keeps secrets out of everything that is stored or shown: recordings, caches, errors, logs, traces."""

import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

MASK = "***"
MIN_SECRET_CHARS = 6
"""Shorter secrets are not searched for inside texts: replacing every "a" would spoil them."""

_SECRET_NAME = re.compile(
    r"(?:.*[-_])?(?:key|apikey|token|secret|password|passwd|signature|credentials?|authorization|cookie)",
    re.IGNORECASE,
)
_NAMES = r"[\w-]*(?:key|token|secret|password|passwd|signature|authorization|cookie)"
_PATTERNS = (
    (re.compile(r"(://)[^/@\s]+@"), rf"\1{MASK}@"),
    (re.compile(rf"([?&]{_NAMES}=)[^&\s#\"'<>]+", re.IGNORECASE), rf"\1{MASK}"),
    (
        re.compile(
            r"(\b(?:[\w-]*authorization|x-[\w-]*(?:key|token)|(?:set-)?cookie)[\"']?\s*[:=]\s*[\"']?)"
            r"(?:(?:bearer|basic)\s+)?[^\s\"',}]+",
            re.IGNORECASE,
        ),
        rf"\1{MASK}",
    ),
    # https://cloud.google.com/docs/authentication/api-keys shows the form of Google's keys.
    (re.compile(r"\bAIza[\w-]{20,}"), MASK),
)


def is_secret_name(name: str) -> bool:
    """Whether a parameter or header of this name usually holds a secret ("key", "X-Goog-Api-Key")."""
    return _SECRET_NAME.fullmatch(name) is not None


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """The text without secrets.

    Args:
        text: Any text meant for people or for a file.
        secrets: Values known to be secret; they vanish wherever they stand, also percent-encoded.
            What looks like a credential by its place vanishes too: user and password of an address, query
            parameters and headers with telling names.
    """
    clean = redact_known(text, secrets)
    for pattern, replacement in _PATTERNS:
        clean = pattern.sub(replacement, clean)
    return clean


def redact_known(text: str, secrets: Iterable[str]) -> str:
    """The text without these secrets, all else untouched: for data, where "?key=" may be part of a fact."""
    for form in _forms(secrets):
        text = text.replace(form, MASK)
    return text


def redact_bytes(body: bytes, secrets: Iterable[str]) -> bytes:
    """The body of a reply without these secrets (services echo keys in messages and links)."""
    for form in _forms(secrets):
        body = body.replace(form.encode(), MASK.encode())
    return body


def _forms(secrets: Iterable[str]) -> list[str]:
    forms = {
        form
        for secret in secrets
        if len(secret) >= MIN_SECRET_CHARS
        for form in (secret, quote(secret, safe=""), quote_plus(secret))
    }
    return sorted(forms, key=lambda form: (-len(form), form))

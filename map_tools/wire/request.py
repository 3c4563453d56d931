"""What goes out and what comes back: plain values, with secrets kept apart from the rest.

Which requests are the same is told by an `Identity`: everything that changes a reply, and no secret, as canonical
JSON. Secrets are kept out of everything that is stored or shown: recordings, caches, errors, logs, traces.
"""

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self
from urllib.parse import parse_qsl, quote, quote_plus, urlsplit, urlunsplit

from map_tools.errors import ProviderError
from map_tools.validation import read_json

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


type Pairs = tuple[tuple[str, str], ...]

ABSENT = "(absent)"

_ORDER = ("provider", "method", "url", "params", "headers", "json", "form")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WireRequest:
    """A request to a service. It must be one that may be repeated (all map services' questions are).

    Attributes:
        method: "GET" or "POST".
        url: Absolute address; a query in it counts as if it were in `params`.
        params: Query parameters; a name may be repeated in the form of pairs.
        headers: Headers that change the reply (a field mask, a language). User-Agent is the policy's.
        json: Body as JSON; None for none.
        form: Body as form fields; None for none.
        secret_headers: Headers whose values no key, log, recording or error ever holds.
        secret_params: Query parameters of the same kind.
    """

    method: str = "GET"
    url: str
    params: Mapping[str, str] | Pairs = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Any = None
    form: Mapping[str, str] | None = None
    secret_headers: Mapping[str, str] = field(default_factory=dict)
    secret_params: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_url(cls, url: str, *, secret_names: Collection[str] = ()) -> Self:
        """A request made of a whole address, as other libraries build it.

        Args:
            url: Address with its query.
            secret_names: Which of the query's parameters are secret ("key", "signature").
        """
        parts = urlsplit(url)
        pairs = parse_qsl(parts.query, keep_blank_values=True)
        return cls(
            url=urlunsplit((parts.scheme, parts.netloc, parts.path, "", "")),
            params=tuple(pair for pair in pairs if pair[0] not in secret_names),
            secret_params={name: value for name, value in pairs if name in secret_names},
        )

    @property
    def address(self) -> str:
        """Scheme, host and path: without user, password and query."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

    @property
    def bare_url(self) -> str:
        """The address with user and password, if it has any, but without the query: for sending."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))

    def pairs(self) -> Pairs:
        """All public query parameters, sorted by name; those of equal name keep their order."""
        given = self.params.items() if isinstance(self.params, Mapping) else self.params
        in_url = parse_qsl(urlsplit(self.url).query, keep_blank_values=True)
        return tuple(sorted((*in_url, *given), key=lambda pair: pair[0]))

    def secrets(self) -> frozenset[str]:
        """All secret values in it."""
        userinfo = urlsplit(self.url).netloc.rpartition("@")[0]
        password = userinfo.partition(":")[2]
        secrets = {*self.secret_headers.values(), *self.secret_params.values(), userinfo, password}
        return frozenset(secrets - {""})

    def __repr__(self) -> str:
        return f"WireRequest({self.method} {self.address})"


@dataclass(frozen=True, slots=True, kw_only=True)
class WireReply:
    """A reply of a service, whatever its status.

    Attributes:
        status: HTTP status.
        headers: Lower-case names; only those that say what the body is.
        body: As received, without the request's secrets.
        received_at: When it came from the service (not from the cache).
        cached: It came from the cache.
        address: What was asked, for error sentences.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    received_at: datetime
    cached: bool = False
    address: str = ""

    @property
    def ok(self) -> bool:
        """Whether the status says success (2xx)."""
        return 200 <= self.status < 300

    def text(self) -> str:
        """The body as text; bytes that are not UTF-8 are replaced."""
        return self.body.decode("utf-8", errors="replace")

    def json(self) -> Any:
        """The body as JSON.

        Raises:
            ProviderError: It is HTML, cut short, empty, contradictory, or anything else but JSON.
        """
        try:
            return read_json(self.body)
        except (ValueError, RecursionError):
            raise ProviderError(
                f"{self.address or 'The service'} answered with {self._nature()} instead of JSON "
                f"(status {self.status}).",
                "Try again; if it stays so, check the address of the service and any proxy in between.",
            ) from None

    def _nature(self) -> str:
        start = self.text().lstrip()[:60]
        if not start:
            return "an empty body"
        if start.startswith("<"):
            return "a web page"
        if start.startswith(("{", "[")):
            return "JSON that is cut short or broken"
        return f"'{redact(' '.join(start.split()))}'"


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes a request the one it is.

    Attributes:
        fields: "provider", "method", "url", "params", "headers", and "json" or "form" if there is a body.
    """

    fields: Mapping[str, Any]

    @classmethod
    def of(cls, request: WireRequest, provider: str) -> Self:
        """The identity of a request of this provider (a policy's name).

        Marked secrets do not count: another key gets the same reply. A parameter that is not marked but has
        the name of a secret counts by the hash of its value, so two meanings of "key=" never share a reply.
        """
        fields: dict[str, Any] = {
            "provider": provider,
            "method": request.method.upper(),
            "url": request.address,
            "params": _grouped(request.pairs()),
            "headers": {name.lower(): _safe(name, value) for name, value in request.headers.items()},
        }
        if request.json is not None:
            fields["json"] = request.json
        if request.form is not None:
            fields["form"] = {name: _safe(name, value) for name, value in request.form.items()}
        return cls(fields)

    @property
    def canonical(self) -> str:
        """Canonical JSON: sorted names, no spaces, ASCII, no NaN."""
        return canonical_json(self.fields)

    @property
    def key(self) -> str:
        """SHA-256 of the canonical JSON, in hexadecimal."""
        return hashlib.sha256(self.canonical.encode()).hexdigest()

    @property
    def shown(self) -> str:
        """What a sentence calls the request: "GET https://host/path"."""
        return f"{self.fields['method']} {self.fields['url']}"


@dataclass(frozen=True, slots=True)
class Difference:
    """The first field two requests differ in ("params.query"), with both values as JSON or `ABSENT`."""

    field: str
    wanted: str
    stored: str

    def __str__(self) -> str:
        return f"{self.field}: wanted {self.wanted}, stored {self.stored}"


def canonical_json(value: Any) -> str:
    """JSON that is the same for equal values, in ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def stored_fields(text: Any) -> dict[str, Any] | None:
    """The fields of an object that was stored as JSON; None if this is none (a damaged file)."""
    try:
        fields = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def first_difference(wanted: Mapping[str, Any], stored: Mapping[str, Any]) -> Difference | None:
    """The first field that differs, in the order address, parameters, headers, body; None if none does."""
    differences = _differences(wanted, stored)
    return differences[0] if differences else None


def nearest(wanted: Mapping[str, Any], candidates: Iterable[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The candidate with the fewest differing fields; of equally near ones the first by canonical JSON."""

    def rank(other: Mapping[str, Any]) -> tuple[int, str]:
        return len(_differences(wanted, other)), canonical_json(other)

    return min(candidates, key=rank, default=None)


def _differences(wanted: Mapping[str, Any], stored: Mapping[str, Any]) -> list[Difference]:
    ours, theirs = _flat(wanted), _flat(stored)
    return [
        Difference(name, ours.get(name, ABSENT), theirs.get(name, ABSENT))
        for name in sorted(ours.keys() | theirs.keys(), key=_field_order)
        if ours.get(name) != theirs.get(name)
    ]


def _field_order(name: str) -> tuple[int, str]:
    head = name.partition(".")[0]
    return (_ORDER.index(head) if head in _ORDER else len(_ORDER), name)


def _flat(value: Any, prefix: str = "") -> dict[str, str]:
    """Leaves by their path ("json.circle.radius"), as JSON."""
    if isinstance(value, Mapping) and value:
        items: Iterable[tuple[Any, Any]] = value.items()
    elif isinstance(value, list | tuple) and value:
        items = enumerate(value)
    else:
        return {prefix: json.dumps(value, ensure_ascii=False, sort_keys=True)}
    leaves: dict[str, str] = {}
    for name, item in items:
        leaves |= _flat(item, f"{prefix}.{name}" if prefix else str(name))
    return leaves


def _grouped(pairs: Pairs) -> dict[str, str | list[str]]:
    groups: dict[str, list[str]] = {}
    for name, value in pairs:
        groups.setdefault(name, []).append(_safe(name, value))
    return {name: values[0] if len(values) == 1 else values for name, values in groups.items()}


def _safe(name: str, value: str) -> str:
    if not is_secret_name(name):
        return value
    return f"sha256:{hashlib.sha256(value.encode()).hexdigest()[:16]}"

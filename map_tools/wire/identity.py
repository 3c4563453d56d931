"""Which requests are the same: everything that changes a reply, and no secret, as canonical JSON."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from map_tools.wire.redact import is_secret_name
from map_tools.wire.request import Pairs, WireRequest

ABSENT = "(absent)"


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


_ORDER = ("provider", "method", "url", "params", "headers", "json", "form")


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

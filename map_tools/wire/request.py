"""What goes out and what comes back: plain values, with secrets kept apart from the rest."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from map_tools.errors import ProviderError
from map_tools.strict_json import read_json
from map_tools.wire.redact import redact

type Pairs = tuple[tuple[str, str], ...]


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
    def from_url(
        cls, url: str, *, method: str = "GET", secret_names: Collection[str] = (), json: Any = None
    ) -> Self:
        """A request made of a whole address, as other libraries build it.

        Args:
            url: Address with its query.
            method: "GET" or "POST".
            secret_names: Which of the query's parameters are secret ("key", "signature").
            json: Body as JSON.
        """
        parts = urlsplit(url)
        pairs = parse_qsl(parts.query, keep_blank_values=True)
        return cls(
            method=method,
            url=urlunsplit((parts.scheme, parts.netloc, parts.path, "", "")),
            params=tuple(pair for pair in pairs if pair[0] not in secret_names),
            secret_params={name: value for name, value in pairs if name in secret_names},
            json=json,
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

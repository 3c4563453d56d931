"""What is set of the network: addresses of servers, and what the environment says of proxies and certificates.

The environment is read as by curl: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY; SSL_CERT_FILE and SSL_CERT_DIR.
"""

import os
import ssl
from collections.abc import Callable
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator

from map_tools.errors import ConfigError

_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
UNTRUSTED = (
    "If the server is your own or your organisation's, name the file of its certificate authority in SSL_CERT_FILE;"
    " else the address is wrong or somebody stands in between."
)
"""The remedy where a server's certificate does not hold."""


def opened[C](make: Callable[..., C], *, through_proxy: bool = True, **options: Any) -> C:
    """A client of httpx2 as the environment wants it.

    Args:
        make: The class of the client.
        through_proxy: Whether the proxies of the environment are used; its certificates always are.
        options: What the client takes besides.

    Raises:
        ConfigError: A proxy or the certificates of the environment cannot be used.
    """
    import httpx2

    try:
        trusted = httpx2.create_ssl_context()
    except OSError as error:  # of which SSLError is one
        raise ConfigError(
            f"The certificates that {_named(('SSL_CERT_FILE',)) or 'SSL_CERT_DIR'} names cannot be read ({error}).",
            "Name a file of certificates in PEM format, or unset it.",
        ) from error
    try:
        return make(verify=trusted, trust_env=through_proxy, **options)
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        if not through_proxy or not _named(_PROXIES):
            raise
        raise ConfigError(
            f"The proxy that {_named(_PROXIES)} names cannot be used ({_reason(error)}).",
            "Name it as http://HOST:PORT, or unset it.",
        ) from error


def is_untrusted(error: BaseException) -> bool:
    """Whether a connection failed because the server's certificate does not hold."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def _named(variables: tuple[str, ...]) -> str:
    """Those of the variables that are set, in words."""
    return " or ".join(name for name in variables if os.environ.get(name) or os.environ.get(name.lower()))


def _reason(error: Exception) -> str:
    """Why, without the address, which may hold a password."""
    if isinstance(error, ImportError):
        return "SOCKS needs the package socksio"
    return "it is no address of a proxy"


def _address(text: str) -> str:
    if not _is_one(text):
        raise ValueError("it is not the address of a server, which is written http://HOST:PORT/PATH")
    return text


def _is_one(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that hold no IPv6 address; a port that is no number, or too large a one
        return False


type WebAddress = Annotated[str, AfterValidator(_address)]
"""A setting that names a server by a web scheme, a host and perhaps a port (RFC 3986, section 3.2).

What is none is refused without being repeated, for an address can hold a password.
"""

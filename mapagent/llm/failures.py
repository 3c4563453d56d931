"""What can go wrong at a model server, each in one sentence with its remedy.

Which trouble it is, is read from what the `openai` package raised, the status and the server's own words; these are
quoted short, on one line and without the key.
"""

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from pydantic import SecretStr

from map_tools.errors import ModelError
from map_tools.wire.environment import UNTRUSTED, is_untrusted
from map_tools.wire.retry import retry_after_s
from mapagent.core.rendering import clean

if TYPE_CHECKING:
    import openai


QUOTED_CHARS = 200
_CREDENTIALS = re.compile(r"//[^/@\s]*@")
_QUERY = re.compile(r"\?\S*")


class Trouble(StrEnum):
    """Kinds of trouble; what may be tried again depends on them."""

    KEY = "key"
    QUOTA = "quota"
    ADDRESS = "address"
    MODEL = "model"
    CONTEXT = "context"
    IMAGE = "image"
    REFUSED = "refused"
    """The server does not take the request as it is: a parameter, a schema, tools."""
    BUSY = "busy"
    LOADING = "loading"
    BROKEN = "broken"
    UNREACHABLE = "unreachable"
    UNTRUSTED = "untrusted"
    DROPPED = "dropped"
    SLOW = "slow"
    GARBLED = "garbled"


class ServerError(ModelError):
    """A model server's failure, with its kind.

    Args:
        trouble: The kind.
        message: One sentence that names the thing.
        remedy: What the user can do.
        retry_after_s: How long the server asks to wait, None if it does not say.
        detail: The server's own words.
    """

    def __init__(
        self,
        trouble: Trouble,
        message: str,
        remedy: str = "",
        *,
        retry_after_s: float | None = None,
        detail: str = "",
    ) -> None:
        super().__init__(message, remedy)
        self.trouble = trouble
        self.retry_after_s = retry_after_s
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Target:
    """The server and model a failure is about.

    Attributes:
        base_url: The address as set.
        model: The model's name.
        key: The key, to be kept out of messages.
    """

    base_url: str
    model: str
    key: SecretStr | None = None

    @property
    def shown_url(self) -> str:
        """The address without credentials or query."""
        return _QUERY.sub("", _CREDENTIALS.sub("//", self.base_url)).rstrip("/")

    def quoted(self, words: str) -> str:
        """A server's words on one short line, without the key."""
        secret = self.key.get_secret_value() if self.key is not None else ""
        text = words.replace(secret, "***") if secret else words
        text = clean(_CREDENTIALS.sub("//***@", text))
        return text if len(text) <= QUOTED_CHARS else f"{text[: QUOTED_CHARS - 1]}…"


def failure(
    trouble: Trouble, target: Target, *, detail: str = "", retry_after_s: float | None = None
) -> ServerError:
    """The error for a kind of trouble."""
    message, remedy = _SENTENCES[trouble]
    said = target.quoted(detail).rstrip(".")
    values = {"url": target.shown_url, "model": target.model, "said": f" ({said})" if said else ""}
    return ServerError(
        trouble,
        message.format(**values),
        remedy.format(**values),
        retry_after_s=retry_after_s,
        detail=said,
    )


_DOCTOR = "`mapagent doctor --base-url {url}` says what it has."
_SENTENCES: dict[Trouble, tuple[str, str]] = {
    Trouble.KEY: (
        "The model server {url} does not accept the key{said}.",
        "Set MAPAGENT_API_KEY to a key of that server, or name a file with api_key_file.",
    ),
    Trouble.QUOTA: (
        "The account at {url} has no quota left for '{model}'{said}.",
        "Check its plan and billing, or choose another model.",
    ),
    Trouble.ADDRESS: (
        "There is no OpenAI-compatible server at {url}{said}.",
        "Check --base-url; it usually ends in /v1.",
    ),
    Trouble.MODEL: ("The model server {url} has no model '{model}'{said}.", _DOCTOR),
    Trouble.CONTEXT: (
        "The prompt is too long for the context of '{model}'{said}.",
        "Ask with less text, or start the server with a longer context.",
    ),
    Trouble.IMAGE: (
        "The model '{model}' cannot see pictures{said}.",
        "Choose a model with vision, or ask without the picture.",
    ),
    Trouble.REFUSED: (
        "The model server {url} refuses the request for '{model}'{said}.",
        "`mapagent doctor --model {model} --base-url {url}` says what it can do.",
    ),
    Trouble.BUSY: (
        "The model server {url} takes no more requests now{said}.",
        "Wait, lower model_requests_per_s or model_concurrency, or raise deadline_s.",
    ),
    Trouble.LOADING: (
        "The model server {url} is still loading '{model}'{said}.",
        "Wait until it is ready, or raise deadline_s.",
    ),
    Trouble.BROKEN: (
        "The model server {url} failed{said}.",
        "Ask again; if it stays so, look at the server's log.",
    ),
    Trouble.UNREACHABLE: (
        "The model server {url} cannot be reached{said}.",
        "Start it, or check --base-url.",
    ),
    Trouble.UNTRUSTED: ("The certificate of the model server {url} does not hold{said}.", UNTRUSTED),
    Trouble.DROPPED: (
        "The connection to the model server {url} broke off in the middle of the answer{said}.",
        "Ask again; if it stays so, look at the server's log or at the proxy in between.",
    ),
    Trouble.SLOW: (
        "The model '{model}' at {url} gave no answer in time{said}.",
        "Raise model_timeout_s and deadline_s, or choose a faster model.",
    ),
    Trouble.GARBLED: (
        "What {url} answers is no chat completion{said}.",
        "Check --base-url; it must be an OpenAI-compatible server, and usually ends in /v1.",
    ),
}


def from_openai(error: "openai.APIError", target: Target, *, images: bool) -> ServerError:
    """The error for what the `openai` package raised.

    Args:
        error: The package's error.
        target: Who was asked.
        images: Whether the request carried pictures.
    """
    import openai

    if isinstance(error, openai.APITimeoutError):
        return failure(Trouble.SLOW, target)
    if isinstance(error, openai.APIConnectionError):
        return _connection(error, target)
    if isinstance(error, openai.APIStatusError):
        said = error.response.text
        trouble = kind_of(error.status_code, said, images=images)
        return failure(
            trouble,
            target,
            detail=_server_words(error),
            retry_after_s=_asked_wait_s(error),
        )
    return failure(Trouble.GARBLED, target, detail=error.message)


def kind_of(status: int, said: str, *, images: bool) -> Trouble:
    """The kind of trouble of an HTTP status and the server's words.

    The words come first: llama.cpp says 500 to a picture it cannot see, others 400 to an unknown model.
    """
    words = said.lower()
    if images and _signs(words, "image"):
        return Trouble.IMAGE
    if _signs(words, "context"):
        return Trouble.CONTEXT
    if status in {401, 403}:
        return Trouble.KEY
    if status == 404 or (status in {400, 422} and "model" in words):
        return _missing(status, words)
    if status == 429:
        return Trouble.QUOTA if _signs(words, "quota") else Trouble.BUSY
    if status == 400 and _signs(words, "key"):
        return Trouble.KEY
    return _by_status(status, words)


def _missing(status: int, words: str) -> Trouble:
    if "model" in words and _signs(words, "no_model"):
        return Trouble.MODEL
    if status == 404:
        return Trouble.ADDRESS
    return Trouble.REFUSED


def _by_status(status: int, words: str) -> Trouble:
    if status == 503:
        return Trouble.LOADING if _signs(words, "loading") else Trouble.BROKEN
    if status in {408, 504}:
        return Trouble.SLOW
    if status in {405, 301, 302, 307, 308}:
        return Trouble.ADDRESS
    if status == 501 or status < 500:
        return Trouble.REFUSED
    return Trouble.BROKEN


def _asked_wait_s(error: "openai.APIStatusError") -> float | None:
    headers = error.response.headers
    return retry_after_s(headers.get("retry-after", ""), headers.get("date", ""))


def _connection(error: "openai.APIConnectionError", target: Target) -> ServerError:
    import httpx2

    cause = error.__cause__
    if is_untrusted(error):
        return failure(Trouble.UNTRUSTED, target, detail=str(cause))
    if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.UnsupportedProtocol):
        return failure(Trouble.UNREACHABLE, target, detail=str(cause))
    if isinstance(cause, httpx2.DecodingError):
        return failure(Trouble.GARBLED, target, detail=str(cause))
    return failure(Trouble.DROPPED, target)


def _server_words(error: "openai.APIStatusError") -> str:
    """What the server says: its error's message, or the start of what came."""
    body = error.body
    inner = body.get("error", body) if isinstance(body, dict) else body
    for name in ("message", "detail"):
        if isinstance(inner, dict) and isinstance(inner.get(name), str):
            return f"{error.status_code}: {inner[name]}"
    if isinstance(inner, str) and inner and not inner.lstrip().startswith("<"):
        return f"{error.status_code}: {inner}"
    return f"{error.status_code}: a web page" if "<" in error.response.text[:50] else f"{error.status_code}"


def _signs(words: str, kind: str) -> bool:
    return any(sign in words for sign in _all_signs()[kind])


@cache
def _all_signs() -> dict[str, list[str]]:
    return tomllib.loads((files("mapagent.llm") / "signs.toml").read_text(encoding="utf-8"))

"""Which trouble it is: read from what the `openai` package raised, the status and the server's own words."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from map_tools.wire.environment import is_untrusted
from map_tools.wire.retry import retry_after_s
from mapagent.llm.failures import ServerError, Target, Trouble, failure

if TYPE_CHECKING:
    import openai


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

"""What can go wrong at a model server, each in one sentence with its remedy.

The server's own words are quoted short, on one line and without the key.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from pydantic import SecretStr

from map_tools.errors import ModelError
from map_tools.wire.environment import UNTRUSTED
from mapagent.core.rendering import clean

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

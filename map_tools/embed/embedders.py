"""What an embedder is, the embedders there are, and the choice of one by configuration."""

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol
from zlib import crc32

import numpy as np
import numpy.typing as npt
from pydantic import Field, SecretStr

from map_tools.errors import ConfigError, ProviderError
from map_tools.kinds.phrases import fold, singular
from map_tools.types import Frozen

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types import CreateEmbeddingResponse
    from wordllama.inference import WordLlamaInference

type Vectors = npt.NDArray[np.float32]
AUTO, HASHING, STATIC, REMOTE = "auto", "hashing", "wordllama", "openai:"
_WORD = re.compile(r"[^\W_]+")
_GRAM_CHARS = (3, 4)
_GRAM_WEIGHT = 0.25
"""A part of a word counts less than the word: a whole word in common must outweigh a chance ending."""

_SIGN_BIT = 1 << 31
_MODEL = "l2_supercat"
_DIMENSIONS = 256
_IN_PLACE = 256
"""So few texts take under 10 ms: a thread would cost more than it saves."""

BATCH_TEXTS = 512
"""The API takes at most 2,048 texts and 300,000 tokens a request; descriptions have some 60 tokens."""

_EMPTY = " "
"""The API refuses an empty text."""


class Embedder(Protocol):
    """Turns texts into vectors whose dot product is their cosine similarity.

    Attributes:
        identity: Model, version and size: vectors of different identities must never be compared.
        dimensions: Length of a vector.
    """

    identity: str
    dimensions: int

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row for each text, of length 1; a text without a word gives a row of zeros.

        Raises:
            ProviderError: A service that computes the vectors failed.
        """
        ...

    async def close(self) -> None:
        """Frees what it holds."""
        ...


class EmbedSetting(Frozen):
    """Which embedder is wanted.

    Attributes:
        model: "auto" (wordllama where it is installed, else hashing), "hashing", "wordllama", or
            "openai:NAME" for a model behind an OpenAI-compatible API.
        base_url: The API's address; None for OpenAI's own.
        api_key: Its key.
        dimensions: Length of its vectors (1,536 are those of text-embedding-3-small).
    """

    model: str = AUTO
    base_url: str | None = None
    api_key: SecretStr = SecretStr("")
    dimensions: Annotated[int, Field(ge=1, le=8192)] = 1536


def open_embedder(setting: EmbedSetting) -> Embedder:
    """The embedder that a setting names; nothing is loaded or asked yet.

    Raises:
        ConfigError: There is no such embedder, or it is not installed.
    """
    if setting.model.startswith(REMOTE):
        return RemoteEmbedder(
            setting.model.removeprefix(REMOTE),
            dimensions=setting.dimensions,
            base_url=setting.base_url,
            api_key=setting.api_key.get_secret_value(),
        )
    if setting.model == STATIC or (setting.model == AUTO and installed()):
        return StaticEmbedder()
    if setting.model in {HASHING, AUTO}:
        return HashingEmbedder()
    raise ConfigError(
        f"There is no embedding model '{setting.model}'.",
        f"Known: {AUTO}, {HASHING}, {STATIC}, {REMOTE}NAME.",
    )


class HashingEmbedder:
    """Hashes words and character n-grams (`Embedder`), and needs nothing for it.

    Feature hashing with signs (K. Weinberger et al., "Feature Hashing for Large Scale Multitask Learning",
    ICML 2009, https://arxiv.org/abs/0902.2206), with the character n-grams that let "romantic" and "romance"
    share features (P. Bojanowski et al., "Enriching Word Vectors with Subword Information", TACL 2017). It knows
    no synonyms: it is what remains where no model is installed.

    Args:
        dimensions: Length of the vectors.
    """

    def __init__(self, dimensions: int = 512) -> None:
        self.dimensions = dimensions
        self.identity = f"hashing-1-{dimensions}"

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row for each text."""
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word, times in Counter(map(singular, _WORD.findall(fold(text)))).items():
                for hashed, weight in _features(word):
                    sign = -1.0 if hashed & _SIGN_BIT else 1.0
                    row[hashed % self.dimensions] += sign * weight * (1.0 + np.log(times))
        return unit_rows(rows)

    async def close(self) -> None:
        """Holds nothing."""


class StaticEmbedder:
    """Embeds with the static word vectors of the package wordllama (`Embedder`).

    Its model comes inside the wheel, nothing is downloaded. https://github.com/dleemiller/WordLlama: token
    embeddings of large language models, reduced to 256 dimensions and averaged. Tens of thousands of texts a
    second on one core.

    Raises:
        ConfigError: The package is not installed.
    """

    dimensions = _DIMENSIONS

    def __init__(self) -> None:
        if not installed():
            raise ConfigError(
                "The embedding model 'wordllama' is not installed.",
                "Install it: pip install 'mapagent[embed]'.",
            )
        from importlib.metadata import version

        self.identity = f"wordllama-{version('wordllama')}-{_MODEL}-{_DIMENSIONS}"

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row for each text; long lists are embedded in a thread."""
        if not texts:
            return unit_rows(_zeros())
        if len(texts) <= _IN_PLACE:
            return _embed(list(texts))
        return await asyncio.to_thread(_embed, list(texts))

    async def close(self) -> None:
        """The model stays loaded for the process."""


def installed() -> bool:
    """True if the package can be imported; it is not imported to find out."""
    return find_spec("wordllama") is not None


class RemoteEmbedder:
    """Asks an OpenAI-compatible server for vectors (`Embedder`).

    https://platform.openai.com/docs/api-reference/embeddings: `POST /embeddings` with `model` and `input` (a list
    of texts); the reply's `data` holds `index` and `embedding`. The paper uses text-embedding-3-small (appendix
    B.2.1).

    Args:
        model: The server's name for the model.
        base_url: Its address; None for OpenAI's own.
        api_key: Its key; a local server takes any word.
        dimensions: Length of the vectors the model gives.
    """

    def __init__(
        self, model: str, *, dimensions: int, base_url: str | None = None, api_key: str = ""
    ) -> None:
        self.dimensions = dimensions
        self.identity = f"openai-{model}-{dimensions}"
        self._model = model
        self._base_url = base_url
        self._api_key = api_key
        self._client: AsyncOpenAI | None = None

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row for each text, in requests of `BATCH_TEXTS`.

        Raises:
            ProviderError: The server refuses, cannot be reached, or sends something else than asked for.
        """
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for start in range(0, len(texts), BATCH_TEXTS):
            part = list(texts[start : start + BATCH_TEXTS])
            rows[start : start + len(part)] = await self._ask(part)
        rows[[not text.strip() for text in texts]] = 0.0
        return unit_rows(rows)

    async def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _ask(self, texts: list[str]) -> Vectors:
        from openai import OpenAIError

        try:
            reply = await self._opened().embeddings.create(
                model=self._model, input=[text or _EMPTY for text in texts], encoding_format="float"
            )
        except OpenAIError as error:
            raise ProviderError(
                f"The embedding model '{self._model}' gave no vectors: {error}.",
                "Check its address, its key and its name.",
            ) from error
        return self._checked(reply, len(texts))

    def _opened(self) -> "AsyncOpenAI":
        if self._client is None:
            from openai import AsyncOpenAI

            self._client = AsyncOpenAI(base_url=self._base_url, api_key=self._api_key or "none")
        return self._client

    def _checked(self, reply: "CreateEmbeddingResponse", count: int) -> Vectors:
        """The vectors in the order of the texts; every one of them must be there, with the right length."""
        rows = {item.index: item.embedding for item in reply.data}
        if sorted(rows) != list(range(count)) or any(len(row) != self.dimensions for row in rows.values()):
            lengths = sorted({len(row) for row in rows.values()})
            raise ProviderError(
                f"The embedding model '{self._model}' sent {len(rows)} vectors of length {lengths} "
                f"for {count} texts.",
                f"Vectors of length {self.dimensions} are expected: check the setting 'dimensions'.",
            )
        return np.array([rows[index] for index in range(count)], np.float32)


def unit_rows(vectors: npt.NDArray[np.floating]) -> Vectors:
    """The rows scaled to length 1; rows of zeros stay."""
    rows = np.asarray(vectors, np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0), np.float32)


@lru_cache(maxsize=16_384)
def _features(word: str) -> tuple[tuple[int, float], ...]:
    """The hashes of a word and of its parts, each with its weight."""
    return ((crc32(word.encode()), 1.0), *((crc32(gram.encode()), _GRAM_WEIGHT) for gram in _grams(word)))


def _grams(word: str) -> Iterator[str]:
    marked = f"<{word}>"
    for size in _GRAM_CHARS:
        yield from (marked[start : start + size] for start in range(len(marked) - size + 1))


def _embed(texts: list[str]) -> Vectors:
    return unit_rows(_model().embed(texts))


def _zeros() -> Vectors:
    return np.zeros((0, _DIMENSIONS), np.float32)


@lru_cache(maxsize=1)
def _model() -> "WordLlamaInference":
    """The model; the package looks for its own tokenizer in a cache folder, so it is given its own folder."""
    with _logging_as_it_is():
        import wordllama

    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(_MODEL, cache_dir=folder, dim=_DIMENSIONS, disable_download=True)


@contextmanager
def _logging_as_it_is() -> Iterator[None]:
    """Keeps a package that sets up the logging of the whole program when it is imported from doing so.

    `logging.basicConfig` does nothing where the root has a handler
    (https://docs.python.org/3/library/logging.html#logging.basicConfig).
    """
    root, taken = logging.getLogger(), logging.NullHandler()
    root.addHandler(taken)
    try:
        yield
    finally:
        root.removeHandler(taken)

"""Vectors from an OpenAI-compatible server.

https://platform.openai.com/docs/api-reference/embeddings: `POST /embeddings` with `model` and `input` (a list
of texts); the reply's `data` holds `index` and `embedding`. The paper uses text-embedding-3-small (appendix
B.2.1).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from map_tools.embed.port import Vectors, unit_rows
from map_tools.errors import ProviderError

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types import CreateEmbeddingResponse

BATCH_TEXTS = 512
"""The API takes at most 2,048 texts and 300,000 tokens a request; descriptions have some 60 tokens."""
_EMPTY = " "
"""The API refuses an empty text."""


class RemoteEmbedder:
    """Asks a server for vectors (`Embedder`).

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

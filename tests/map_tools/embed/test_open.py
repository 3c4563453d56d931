"""Embedders by configuration."""

import pytest

from map_tools.embed import EmbedSetting, open_embedder, static
from map_tools.embed import open as opening
from map_tools.embed.hashing import HashingEmbedder
from map_tools.embed.remote import RemoteEmbedder
from map_tools.embed.static import StaticEmbedder
from map_tools.errors import ConfigError


def test_the_static_model_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wordllama")
    assert isinstance(open_embedder(EmbedSetting()), StaticEmbedder)
    monkeypatch.setattr(opening, "installed", lambda: False)
    assert isinstance(open_embedder(EmbedSetting()), HashingEmbedder)


def test_a_model_that_is_not_installed_says_how_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"mapagent\[embed\]"):
        open_embedder(EmbedSetting(model="wordllama"))


def test_by_name() -> None:
    assert isinstance(open_embedder(EmbedSetting(model="hashing")), HashingEmbedder)
    remote = open_embedder(EmbedSetting(model="openai:some-model", dimensions=8))
    assert isinstance(remote, RemoteEmbedder)
    assert remote.identity == "openai-some-model-8"


def test_an_unknown_model_says_which_there_are() -> None:
    with pytest.raises(ConfigError, match="Known: auto, hashing, wordllama"):
        open_embedder(EmbedSetting(model="word2vec"))

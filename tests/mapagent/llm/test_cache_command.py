"""`mapagent cache explain|clear`."""

from datetime import UTC, datetime

import pytest

from mapagent.llm.cache import ModelCache
from mapagent.llm.open import cache_path
from mapagent.llm.reply import ServerReply
from mapagent.runtime.config import load_settings
from tests.support.cli import CommandLine

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


def test_explain_and_clear(capsys: pytest.CaptureFixture[str]) -> None:
    command = CommandLine(capsys)
    assert "model: 0 replies kept" in command("cache", "explain").out
    cache = ModelCache(cache_path(load_settings().settings))
    cache.put({"model": "a", "messages": [{"text": "Where?"}]}, ServerReply("here"), now=NOW)
    cache.get({"model": "a", "messages": [{"text": "When?"}]}, now=NOW)
    ran = command("cache", "explain")
    assert ran.code == 0
    assert "model: 1 replies kept" in ran.out
    assert "differs first in 'messages.0.text'" in ran.out
    assert 'wanted: "When?"' in ran.out
    assert 'kept: "Where?"' in ran.out
    assert "model: 1 replies forgotten." in command("cache", "clear").out
    assert cache.entries() == 0

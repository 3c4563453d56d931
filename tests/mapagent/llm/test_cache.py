"""The cache of replies: its key, two processes, a kill in the middle, a damaged file, and its explanation."""

import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mapagent.llm.cache import ModelCache
from mapagent.llm.chat import ChatMessage
from mapagent.llm.reply import FunctionCall, ServerReply
from mapagent.llm.request import ChatRequest, OutputMode
from mapagent.runtime.caches import ModelReplies

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
URL = "http://127.0.0.1:8000/v1"
PNG = b"\x89PNG\r\n\x1a\n"
REQUEST = ChatRequest(
    model="small",
    messages=(ChatMessage(role="system", text="Be brief."), ChatMessage(role="user", text="Where is it?")),
    output_mode=OutputMode.SCHEMA,
    schema={"type": "object"},
)
REPLY = ServerReply("here", (FunctionCall("f", "{}"),), "stop", 10, 2, "small-1")


@pytest.fixture
def cache(tmp_path: Path) -> ModelCache:
    return ModelCache(tmp_path / "deep" / "model.sqlite")


def test_a_reply_comes_back_as_it_was(cache: ModelCache) -> None:
    parts = REQUEST.key_parts(URL)
    assert cache.get(parts, now=NOW) is None
    cache.put(parts, REPLY, now=NOW)
    assert cache.get(parts, now=NOW) == REPLY
    assert cache.entries() == 1
    assert cache.path.stat().st_mode & 0o077 == 0
    assert cache.clear() == 1
    assert cache.get(parts, now=NOW) is None


@pytest.mark.parametrize(
    "change",
    [
        {"model": "large"},
        {"temperature": 0.5},
        {"max_tokens": 9},
        {"stop": ("x",)},
        {"seed": 1},
        {"output_mode": OutputMode.TEXT},
        {"schema": {"type": "object", "properties": {}}},
        {"schema_name": "other"},
        {"schema_note": "other"},
        {"messages": REQUEST.messages[1:]},
        {"messages": (REQUEST.messages[0], ChatMessage(role="user", text="Where is it ?"))},
        {"messages": (REQUEST.messages[0], ChatMessage(role="assistant", text="Where is it?"))},
        {"messages": (REQUEST.messages[0], ChatMessage(role="user", text="Where is it?", images=(PNG,)))},
    ],
    ids=str,
)
def test_everything_that_changes_a_reply_is_in_the_key(cache: ModelCache, change: dict[str, Any]) -> None:
    cache.put(REQUEST.key_parts(URL), REPLY, now=NOW)
    assert cache.get(replace(REQUEST, **change).key_parts(URL), now=NOW) is None


def test_another_server_has_another_key_and_the_prompts_mark_has_none(cache: ModelCache) -> None:
    cache.put(REQUEST.key_parts(URL), REPLY, now=NOW)
    assert cache.get(REQUEST.key_parts("http://127.0.0.1:9000/v1"), now=NOW) is None
    marked = tuple(message.model_copy(update={"prompt": "p@1"}) for message in REQUEST.messages)
    assert cache.get(replace(REQUEST, messages=marked).key_parts(URL), now=NOW) == REPLY


def test_a_damaged_file_is_set_aside(cache: ModelCache) -> None:
    cache.path.parent.mkdir()
    cache.path.write_bytes(b"no database at all, but long enough to be read as one" * 20)
    assert cache.get(REQUEST.key_parts(URL), now=NOW) is None
    cache.put(REQUEST.key_parts(URL), REPLY, now=NOW)
    assert cache.get(REQUEST.key_parts(URL), now=NOW) == REPLY
    assert cache.path.with_name("model.sqlite.damaged").exists()


@pytest.mark.parametrize(
    "kept",
    [
        "",
        "{",
        "[]",
        "3",
        '{"text": "here"}',
        '{"text": 3, "calls": []}',
        '{"text": "here", "calls": [[1]]}',
        '{"text": "here", "calls": [["f", 1]]}',
        '{"text": "a", "calls": [], "prompt_tokens": "x"}',
        None,
    ],
)
def test_a_damage_that_the_database_does_not_notice_is_no_reply(cache: ModelCache, kept: str | None) -> None:
    parts = REQUEST.key_parts(URL)
    cache.put(parts, REPLY, now=NOW)
    with sqlite3.connect(cache.path) as db:
        db.execute("UPDATE entries SET reply = ?", (kept,))
    db.close()
    assert cache.get(parts, now=NOW) is None
    cache.put(parts, REPLY, now=NOW)
    assert cache.get(parts, now=NOW) == REPLY


def test_a_folder_that_cannot_be_made_keeps_nothing_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = ModelCache(tmp_path / "file" / "model.sqlite")
    cache.put(REQUEST.key_parts(URL), REPLY, now=NOW)
    assert cache.get(REQUEST.key_parts(URL), now=NOW) is None


_WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from mapagent.llm.cache import ModelCache
from mapagent.llm.reply import ServerReply
cache, name = ModelCache(Path(sys.argv[1])), sys.argv[2]
print("ready", flush=True)
number = 0
while number < int(sys.argv[3]):
    cache.put({"writer": name, "number": number}, ServerReply(f"{name} {number}"), now=datetime.now(UTC))
    number += 1
"""


def _writer(path: Path, name: str, count: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(path), name, str(count)], stdout=subprocess.PIPE, text=True
    )


def test_two_processes_write_at_once(cache: ModelCache) -> None:
    writers = [_writer(cache.path, name, 40) for name in "ab"]
    for writer in writers:
        writer.communicate(timeout=60)
    assert [writer.returncode for writer in writers] == [0, 0]
    assert cache.entries() == 80
    assert cache.get({"writer": "b", "number": 39}, now=NOW) == ServerReply("b 39")


def test_a_kill_in_the_middle_loses_nothing_that_was_kept(cache: ModelCache) -> None:
    cache.put(REQUEST.key_parts(URL), REPLY, now=NOW)
    writer = _writer(cache.path, "a", 1_000_000)
    assert writer.stdout is not None
    writer.stdout.readline()
    while cache.entries() < 10:
        pass
    os.kill(writer.pid, signal.SIGKILL)
    writer.communicate()
    assert cache.entries() >= 10
    assert cache.get(REQUEST.key_parts(URL), now=NOW) == REPLY


def test_the_explanation_names_the_first_field_that_differs(cache: ModelCache) -> None:
    far = replace(REQUEST, model="large", messages=REQUEST.messages[:1])
    cache.put(far.key_parts(URL), REPLY, now=NOW)
    cache.put(REQUEST.key_parts(URL), REPLY, now=NOW)
    asked = replace(REQUEST, messages=(REQUEST.messages[0], ChatMessage(role="user", text="Where is she?")))
    assert cache.get(asked.key_parts(URL), now=NOW) is None
    cache.put(asked.key_parts(URL), REPLY, now=NOW)
    report = ModelReplies(cache).report()
    assert report.entries == 3
    first, wanted, kept, key = report.explanation
    assert "differs first in 'messages.1.text'" in first
    assert wanted == '  wanted: "Where is she?"'
    assert kept == '  kept:   "Where is it?"'
    assert '"model":"small"' in key


def test_the_explanation_of_an_empty_cache(cache: ModelCache) -> None:
    replies = ModelReplies(cache)
    assert replies.report().explanation == ("No request has missed this cache yet.",)
    assert not cache.path.exists()
    cache.get(REQUEST.key_parts(URL), now=NOW)
    assert "nothing was kept before it" in replies.report().explanation[0]

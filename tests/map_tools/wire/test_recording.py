"""A run is recorded and played: same answers, same bytes, no network, and a miss is loud."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from map_tools.clock import FrozenClock
from map_tools.errors import InputFileError, ProviderError, UsageError
from map_tools.wire.meter import CallMeter, Cost, metered
from map_tools.wire.policy import Retention, WirePolicy
from map_tools.wire.recording import Entry, Player, Recorder
from map_tools.wire.request import Identity, WireReply, WireRequest
from map_tools.wire.wire import Recording, Wire
from tests.support.loopback import Asked, Scripted, in_turn, json_reply, serving

NOON = datetime(2030, 5, 4, 12, tzinfo=UTC)
OPEN = WirePolicy(name="atlas", title="Atlas", attempts=1, keep=Retention.for_ever())
COST = Cost("Search", 0.03)


def echo(asked: Asked) -> Scripted:
    """Different replies to different questions, with a header that changes each time."""
    if asked.params["q"] == ["forbidden"]:
        return json_reply({"error": "no"}, status=403)
    if asked.params["q"] == ["drop"]:
        return Scripted(drop=True)
    return json_reply({"found": asked.params["q"], "street": "Straße\u2028x"}, date=str(asked.at_s))


def run(
    recording: Recording, url: str, *queries: str, folder: Path | None = None
) -> tuple[list[str], CallMeter]:
    """What a run of questions comes to, and what it is charged."""

    async def ask(wire: Wire, query: str) -> str:
        request = WireRequest(url=url, params={"q": query}, secret_headers={"X-Key": "hidden-secret"})
        try:
            reply = await wire.send(request, cost=COST)
        except ProviderError as error:
            return str(error)
        return f"{reply.status} {reply.text()} {reply.received_at}"

    async def all_at_once() -> list[str]:
        wire = Wire(OPEN, folder=folder, recording=recording)
        try:
            return await asyncio.gather(*(ask(wire, query) for query in queries))
        finally:
            await wire.close()

    with metered() as meter:
        return asyncio.run(all_at_once()), meter


QUERIES = ("tea", "forbidden", "coffee", "drop", "tea")


def test_a_recorded_run_plays_the_same_with_the_network_off(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with serving(echo) as server:
        with Recorder(path, clock=FrozenClock(NOON)) as recorder:
            live, paid = run(recorder, server.url, *QUERIES)
        url = server.url
    player = Player(path)
    played, charged = run(player, url, *QUERIES)
    assert played == live
    assert (charged.calls, charged.skus) == (paid.calls, paid.skus)
    assert charged.cost_usd == pytest.approx(paid.cost_usd)
    assert player.clock().now() == recorder.clock().now() == NOON


def test_recording_the_same_run_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    with serving(echo) as server:
        for name, queries in (("a", QUERIES), ("b", tuple(reversed(QUERIES)))):
            with Recorder(tmp_path / name, clock=FrozenClock(NOON)) as recorder:
                run(recorder, server.url, *queries)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert len((tmp_path / "a").read_bytes().splitlines()) == 5  # the head and four different questions


def test_what_comes_from_the_cache_is_recorded_too(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with serving(echo) as server:
        with Recorder(path, clock=FrozenClock(NOON)) as recorder:
            run(recorder, server.url, "tea", folder=tmp_path)
        with Recorder(path, clock=FrozenClock(NOON)) as recorder:
            live, paid = run(recorder, server.url, "tea", folder=tmp_path)
        url = server.url
    played, charged = run(Player(path), url, "tea")
    assert played == live
    assert (paid.cached, paid.cost_usd) == (charged.cached, charged.cost_usd) == (1, 0.0)


def test_replies_that_changed_are_played_in_turn(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    request = WireRequest(url="https://maps.test/page", params={"token": "t"})
    identity = Identity.of(request, "atlas")
    with Recorder(path, clock=FrozenClock(NOON)) as recorder:
        for body in (b"not yet", b"not yet", b"here"):
            reply = WireReply(status=200, headers={}, body=body, received_at=NOON)
            recorder.add(Entry(identity, NOON, reply=reply))
    player = Player(path)
    outcomes = [player.play(identity).reply for _ in range(4)]
    assert [outcome.text() for outcome in outcomes if outcome] == ["not yet", "here", "here", "here"]


def test_a_miss_names_the_nearest_request_and_the_first_difference(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with serving(echo) as server:
        with Recorder(path, clock=FrozenClock(NOON)) as recorder:
            run(recorder, server.url, "tea")
        (told,), _ = run(Player(path), server.url, "cocoa")
        assert len(server.asked) == 1
    assert f"GET {server.url} is not in the recording {path}" in told
    assert 'which differs in params.q: wanted "cocoa", stored "tea"' in told
    assert "Record the run again" in told


def test_an_empty_recording_says_so(tmp_path: Path) -> None:
    Recorder(tmp_path / "run").close()
    (told,), _ = run(Player(tmp_path / "run"), "http://maps.test/", "tea")
    assert "is empty" in told


def test_a_run_that_is_killed_leaves_the_old_recording_and_a_playable_part(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("the recording of before")
    with serving(echo) as server:
        recorder = Recorder(path, clock=FrozenClock(NOON))
        live, _ = run(recorder, server.url, "tea", "coffee")
        assert path.read_text() == "the recording of before"
        played, _ = run(Player(tmp_path / "run.jsonl.part"), server.url, "tea", "coffee")
        recorder.close()
        recorder.close()
    assert played == live
    assert [file.name for file in tmp_path.iterdir()] == ["run.jsonl"]


@pytest.mark.parametrize(
    "keep", [Retention(), Retention(ids_days=None, coordinates_days=30), Retention().with_payloads(7)]
)
def test_services_that_forbid_keeping_replies_are_recorded_only_if_the_user_says_so(
    tmp_path: Path, keep: Retention
) -> None:
    policy = WirePolicy(name="strict", title="Strict Maps", keep=keep)
    with Recorder(tmp_path / "a") as recorder, pytest.raises(UsageError) as raised:
        Wire(policy, recording=recorder)
    assert "The terms of Strict Maps do not allow keeping its replies" in raised.value.message
    assert "allow_payloads" in raised.value.remedy
    with Recorder(tmp_path / "b", allow_payloads=True) as recorder:
        Wire(policy, recording=recorder)
    Wire(policy, recording=Player(tmp_path / "b"))


def test_the_file_is_plain_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    binary = b"\x89PNG\xff"
    identity = Identity.of(WireRequest(url="https://maps.test/photo"), "atlas")
    with Recorder(path, clock=FrozenClock(NOON)) as recorder:
        reply = WireReply(status=200, headers={"content-type": "image/png"}, body=binary, received_at=NOON)
        recorder.add(Entry(identity, NOON, reply=reply))
    head, line = (json.loads(text) for text in path.read_text().splitlines())
    assert head == {"format": 1, "clock": "2030-05-04T12:00:00+00:00"}
    assert line == {
        "at": "2030-05-04T12:00:00+00:00",
        "cached": False,
        "key": identity.key,
        "n": 0,
        "reply": {"status": 200, "headers": {"content-type": "image/png"}, "body_base64": "iVBOR/8="},
        "request": dict(identity.fields),
    }
    played = Player(path).play(identity).reply
    assert played is not None
    assert played.body == binary


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "Line 1"),
        (b"\xff\xfe", "is not text"),
        (b'{"format": 2, "clock": "2030-05-04T12:00:00+00:00"}\n', "Line 1"),
        (b'{"format": 1, "clock": "2030-05-04T12:00:00+00:00"}\n{"at": "2030-05', "Line 2"),
        (b'{"format": 1, "clock": "2030-05-04T12:00:00+00:00"}\n[]\n', "Line 2"),
    ],
)
def test_a_damaged_recording_is_refused_by_line(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputFileError, match=said):
        Player(path)


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="cannot be read"):
        Player(tmp_path / "missing")
    (tmp_path / "file").touch()
    with pytest.raises(InputFileError, match="cannot be written"):
        Recorder(tmp_path / "file" / "run.jsonl")


def test_a_page_that_comes_later_is_played_in_turn_through_the_wire(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with serving(in_turn(json_reply({"page": "not yet"}), json_reply({"page": 2}))) as server:
        with Recorder(path, clock=FrozenClock(NOON)) as recorder:
            first, _ = run(recorder, server.url, "tea")
            second, _ = run(recorder, server.url, "tea")
        url = server.url
    player = Player(path)
    assert run(player, url, "tea")[0] == first
    assert run(player, url, "tea")[0] == second != first


def part_left_by(queries: tuple[str, ...], path: Path, url: str) -> bytes:
    """What a run that was killed after these questions has left."""
    recorder = Recorder(path, clock=FrozenClock(NOON))
    run(recorder, url, *queries)
    part = path.with_name(f"{path.name}.part")
    left = part.read_bytes()
    recorder.close()
    path.unlink()
    part.write_bytes(left)
    return left


def test_what_a_killed_run_has_left_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with serving(echo) as server:
        left = [part_left_by((query,), path, server.url) for query in ("tea",)]
        Recorder(path, clock=FrozenClock(NOON)).close()
        left += [part_left_by((query,), path, server.url) for query in ("coffee",)]
        Recorder(path, clock=FrozenClock(NOON)).close()
    assert [(tmp_path / f"run.jsonl.part.{number}").read_bytes() for number in (1, 2)] == left
    assert len(list(tmp_path.iterdir())) == 3


def test_half_a_line_that_a_kill_left_is_not_played(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with serving(echo) as server:
        left = part_left_by(("tea", "coffee"), path, server.url)
        part = tmp_path / "run.jsonl.part"
        part.write_bytes(left[:-20])
        played, _ = run(Player(part), server.url, "tea", "coffee")
    assert sorted("is not in the recording" in told for told in played) == [False, True]


def test_two_processes_do_not_record_to_one_file(tmp_path: Path) -> None:
    with Recorder(tmp_path / "run.jsonl"), pytest.raises(UsageError, match="Another process is writing"):
        Recorder(tmp_path / "run.jsonl")

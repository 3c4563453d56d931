"""Wrong use of the command line: exit code 2, one sentence that names the thing and the remedy."""

import json
import os
import threading
from pathlib import Path

import pytest

from map_tools.errors import PlanError
from mapagent.core.answer import Plan, Step
from mapagent.core.question import MAX_CHARS
from mapagent.interfaces.cli.ask import MAX_CONTEXT_BYTES
from tests.support.cli import CommandLine, Ran

QUESTION = "Where is Ateneum?"

pytestmark = pytest.mark.usefixtures("untouched")


def assert_refused(ran: Ran, *words: str) -> None:
    """Exit code 2, nothing on standard output, and a last line of complaint that has the words."""
    assert ran.code == 2
    assert ran.out == ""
    complaint = ran.err.strip().splitlines()[-1]
    assert complaint.startswith("mapagent")
    assert "usage:" not in ran.err
    for word in words:
        assert word in complaint
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--map", "atlantis"], ["no map 'atlantis'", "helsinki", "map add"]),
        (["--map", "../secrets"], ["'../secrets' cannot be the name of a map", "small letters"]),
        (["--provider", "apple"], ["no provider 'apple'", "osm", "recorded"]),
        (["--provider", "recorded"], ["needs a path", "recorded:PATH"]),
        (["--provider", "recorded:/no/such.json"], ["/no/such.json", "No such file"]),
        (["--model", "gpt-99"], ["'gpt-99'", "offline"]),
        (["--near", "somewhere"], ["--near", "'somewhere' is not a position", "60.17,24.94"]),
        (["--near", "91,0"], ["'91,0' is not a position"]),
        (["--near", "nan,nan"], ["'nan,nan' is not a position"]),
        (["--near", "1,2,3"], ["'1,2,3' is not a position"]),
        (["--at", "tomorrow"], ["--at", "'tomorrow' is not a moment", "2026-11-21T18:30"]),
        (["--at", "2026-02-30T10:00"], ["is not a moment"]),
        (["--max-usd", "-1"], ["'max_usd' (from the flag)", "greater than or equal to 0"]),
        (["--max-usd", "nan"], ["'max_usd' (from the flag)"]),
        (["--max-usd", "much"], ["--max-usd"]),
        (["--bogus"], ["--bogus"]),
        (["-o", "x"] * 27, ["27 options are too many", "26"]),
        (["-o", "x" * (MAX_CHARS + 1)], ["Option A is longer than 20,000 characters"]),
        (["-o", "\udcff"], ["Option A is not UTF-8 text"]),
    ],
)
def test_flags(mapagent: CommandLine, flags: list[str], words: list[str]) -> None:
    assert_refused(mapagent("ask", QUESTION, *flags), *words)
    assert_refused(mapagent("ask", QUESTION, *flags, "--json"), *words)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("", ["The question is empty", "Write what you want to know"]),
        (" \n\t ", ["The question is empty"]),
        ("Where is \udcff?", ["The question is not UTF-8 text"]),
        ("Where? " * 10_000, ["The question is longer than 20,000 characters"]),
    ],
)
def test_questions(mapagent: CommandLine, question: str, words: list[str]) -> None:
    assert_refused(mapagent("ask", question), *words)


@pytest.mark.parametrize("arguments", [["ask"], ["fly"], ["map"], ["map", "fly"], ["map", "add"]])
def test_commands(mapagent: CommandLine, arguments: list[str]) -> None:
    assert_refused(mapagent(*arguments))


def test_a_slip_in_a_name_is_met_with_the_name_that_is_meant(mapagent: CommandLine) -> None:
    assert_refused(mapagent("aks", QUESTION), "no command 'aks'", "Did you mean `ask`?")
    assert_refused(mapagent("ask", QUESTION, "--provider", "recordde"), "Did you mean `recorded`?")


def test_no_command_shows_the_help(mapagent: CommandLine) -> None:
    ran = mapagent()
    assert ran.code == 2
    assert "usage: mapagent" in ran.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["map", "remove", "atlantis"], ["no map 'atlantis'", "helsinki"]),
        (["map", "remove", "../helsinki"], ["cannot be the name of a map"]),
        (["map", "synth", "--seed", "1", "--size", "3"], ["3 features", "50 to 20000000"]),
        (["map", "synth", "--seed", "-1", "--size", "100"], ["seed -1 is negative", "0 or more"]),
        (["map", "synth", "--seed", "1", "--size", "100", "--name", "a b"], ["'a b' cannot be the name"]),
    ],
)
def test_maps(mapagent: CommandLine, arguments: list[str], words: list[str]) -> None:
    assert_refused(mapagent(*arguments), *words)


def test_an_unknown_module_in_a_plan_is_named() -> None:
    plan = Plan(steps=(Step(id="a", subgoal="guess", module="oracle"),))
    with pytest.raises(PlanError, match=r"unknown module 'oracle'. Known: answer_generator, map_service"):
        plan.check(frozenset({"map_service", "answer_generator"}))


class TestContext:
    """The file of `--context`."""

    def test_missing(self, mapagent: CommandLine, tmp_path: Path) -> None:
        path = tmp_path / "none.txt"
        assert_refused(mapagent("ask", QUESTION, "--context", path), str(path), "No such file", "Name a text")

    def test_a_folder(self, mapagent: CommandLine, tmp_path: Path) -> None:
        assert_refused(mapagent("ask", QUESTION, "--context", tmp_path), str(tmp_path), "Is a directory")

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_unreadable(self, mapagent: CommandLine, tmp_path: Path) -> None:
        path = tmp_path / "secret.txt"
        path.touch(mode=0o000)
        assert_refused(mapagent("ask", QUESTION, "--context", path), "Permission denied")

    def test_too_large(self, mapagent: CommandLine, tmp_path: Path) -> None:
        path = tmp_path / "large.txt"
        path.write_bytes(b"a" * (MAX_CONTEXT_BYTES + 1))
        assert_refused(mapagent("ask", QUESTION, "--context", path), "larger than 4 MB", "Give less text")

    def test_an_endless_device(self, mapagent: CommandLine) -> None:
        assert_refused(mapagent("ask", QUESTION, "--context", "/dev/zero"), "larger than 4 MB")

    def test_not_utf8(self, mapagent: CommandLine, tmp_path: Path) -> None:
        path = tmp_path / "latin1.txt"
        path.write_bytes("Café".encode("latin-1"))
        assert_refused(mapagent("ask", QUESTION, "--context", path), str(path), "not UTF-8 text", "Convert")

    def test_a_pipe_is_read(self, mapagent: CommandLine, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        text = "Information of <b>Old Light</b>:\n- Location: 1 Pier Road.\n"
        writer = threading.Thread(target=pipe.write_text, args=(text,), daemon=True)
        writer.start()
        ran = mapagent("ask", "What is the address of Old Light?", "--context", pipe)
        writer.join(timeout=10)
        assert (ran.code, ran.out.splitlines()[0]) == (0, "1 Pier Road")

    def test_an_empty_one_answers_nothing(self, mapagent: CommandLine, tmp_path: Path) -> None:
        path = tmp_path / "empty.txt"
        path.touch()
        ran = mapagent("ask", QUESTION, "--context", path, "--json")
        assert ran.code == 0
        assert json.loads(ran.out)["status"] == "unanswerable"

    def test_a_byte_order_mark_is_no_part_of_the_text(self, mapagent: CommandLine, tmp_path: Path) -> None:
        path = tmp_path / "bom.txt"
        path.write_text(
            "\ufeffInformation of <b>Old Light</b>:\n- Location: 1 Pier Road.\n", encoding="utf-8"
        )
        ran = mapagent("ask", "What is the address of Old Light?", "--context", path)
        assert ran.out.splitlines()[0] == "1 Pier Road"


class TestTrace:
    """The file of `--trace`."""

    @pytest.mark.parametrize(("name", "reason"), [("none/t.jsonl", "No such file"), (".", "Is a directory")])
    def test_unwritable_is_said_before_anything_is_asked(
        self, mapagent: CommandLine, tmp_path: Path, name: str, reason: str
    ) -> None:
        ran = mapagent("ask", QUESTION, "--trace", tmp_path / name)
        assert_refused(ran, str(tmp_path / name), reason, "Name a file in a folder")

    def test_a_disk_that_fills_up_does_not_lose_the_answer(self, mapagent: CommandLine) -> None:
        ran = mapagent("ask", QUESTION, "--trace", "/dev/full", "--json")
        assert ran.code == 2
        assert json.loads(ran.out)["status"] == "answered"
        assert "/dev/full cannot be written: No space left" in ran.err


@pytest.mark.parametrize("near", ["-33.9,151.2", "-33.9, -70.6", "60.17,24.94", "-1,2"])
def test_positions_south_of_the_equator_are_no_flags(mapagent: CommandLine, near: str) -> None:
    for flags in (["--near", near], [f"--near={near}"]):
        ran = mapagent("ask", QUESTION, *flags)
        assert (ran.code, ran.err) == (0, "")


NEAR = "Is there a cafe within 500 m of Ateneum?"


class TestOptions:
    """Options that cannot be told apart, or cannot be chosen."""

    def test_equal_options_are_said_to_be_equal(self, mapagent: CommandLine) -> None:
        ran = mapagent("ask", NEAR, "-o", "Yes", "-o", "Yes", "-o", "No")
        assert ran.code == 0
        assert ran.out.startswith("A. Yes\n")
        assert "Several options say 'Yes'" in ran.out

    def test_empty_options_are_never_chosen(self, mapagent: CommandLine) -> None:
        ran = mapagent("ask", QUESTION, "-o", "", "-o", " ", "--json")
        answer = json.loads(ran.out)
        assert (ran.code, answer["option"], answer["option_index"]) == (0, None, None)
        assert answer["status"] == "answered"

    def test_an_empty_option_keeps_its_letter(self, mapagent: CommandLine) -> None:
        ran = mapagent("ask", NEAR, "-o", "", "-o", "No", "-o", "Yes", "--json")
        assert json.loads(ran.out)["option"] == "C"


class TestConfig:
    """The file of `--config`, and the environment."""

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("model = [", ["is not TOML"]),
            ('modle = "offline"', ["'modle' (from the file) is not a setting", "config show"]),
            ('deadline_s = "soon"', ["'deadline_s' (from the file) is wrong", "number"]),
            ("deadline_s = 0", ["'deadline_s' (from the file) is wrong", "greater than 0"]),
            ("concurrency = 0", ["'concurrency' (from the file)"]),
            ('base_url = "localhost:8000"', ["'base_url' (from the file)", "not the address of a server"]),
            ('base_url = "http://[1/v1"', ["'base_url' (from the file)", "not the address of a server"]),
            ('google_base_url = "http://h:x"', ["'google_base_url' (from the file)", "not the address"]),
            ("modules = 3", ["'modules' (from the file)"]),
            ('api_key = "abc"', ["holds 'api_key'", "MAPAGENT_API_KEY", "api_key_file"]),
            ("api_key_file = 3", ["'api_key_file' (from the file) is not a path", "in quotes"]),
            ('api_key_file = "/no/such/key"', ["key file /no/such/key", "No such file"]),
            ('google_key_file = "/dev/null"', ["key file /dev/null is empty"]),
            ('map = "no/map"', ["'no/map' cannot be the name of a map"]),
        ],
    )
    def test_wrong(self, mapagent: CommandLine, tmp_path: Path, text: str, words: list[str]) -> None:
        path = tmp_path / "settings.toml"
        path.write_text(text, encoding="utf-8")
        assert_refused(mapagent("ask", QUESTION, "--config", path), *words)

    def test_missing(self, mapagent: CommandLine, tmp_path: Path) -> None:
        path = tmp_path / "none.toml"
        assert_refused(mapagent("ask", QUESTION, "--config", path), str(path), "No such file")

    @pytest.mark.parametrize("content", [b"\xff\xfe", b"\x00\x00"])
    def test_not_text(self, mapagent: CommandLine, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "settings.toml"
        path.write_bytes(content)
        assert_refused(mapagent("ask", QUESTION, "--config", path), str(path), "is not TOML")

    def test_a_key_file_that_is_no_text(self, mapagent: CommandLine, tmp_path: Path) -> None:
        (tmp_path / "key").write_bytes(b"\xff\xfe\xfd")
        path = tmp_path / "settings.toml"
        path.write_text(f'api_key_file = "{tmp_path / "key"}"')
        assert_refused(mapagent("ask", QUESTION, "--config", path), "key file", "is not text")

    @pytest.mark.parametrize("command", ["ask", "doctor"])
    def test_an_address_that_cannot_be(self, mapagent: CommandLine, command: str) -> None:
        words = [QUESTION] if command == "ask" else []
        ran = mapagent(command, *words, "--model", "m", "--base-url", "http://user:open-sesame@h:99999/v1")
        assert_refused(ran, "'base_url' (from the flag) is wrong", "http://HOST:PORT/PATH")
        assert "open-sesame" not in ran.err + ran.out

    def test_environment(self, mapagent: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MAPAGENT_MAX_ROUNDS", "many")
        assert_refused(mapagent("ask", QUESTION), "'max_rounds' (from the environment) is wrong")

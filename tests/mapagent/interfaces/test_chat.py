"""`mapagent chat`, from standard input and at a terminal."""

import io
import json
import os
import pty
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support import awkward
from tests.support.awkward import ADDRESS, WORLD
from tests.support.cli import PROGRAM, CommandLine, Ran
from tests.support.literal import ALKO, ALKOS, EARLIER, MODEL, register

TOP = Path(__file__).resolve().parents[3]
HARBOUR = ("--provider", f"recorded:{WORLD}", "--model", MODEL)
WAIT_S = 60

type Chat = Callable[..., Ran]


@pytest.fixture
def chat(mapagent: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Chat:
    """Types lines and ends the input."""
    register(tmp_path / "plugins", monkeypatch)

    def typed(*arguments: str | Path, lines: bytes) -> Ran:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines), "utf-8"))
        return mapagent("chat", *arguments)

    return typed


def said(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


@pytest.mark.usefixtures("demo")
def test_a_conversation_over_the_demo_map(chat: Chat) -> None:
    lines = said(ALKO, "3", "2", EARLIER, "/forget", EARLIER)
    ran = chat("--map", "helsinki", "--model", MODEL, "--json", lines=lines)
    ambiguous, refused, chosen, told, anew = map(json.loads, ran.out.splitlines())
    assert ambiguous["status"] == "ambiguous"
    assert [one["number"] for one in ambiguous["candidates"]] == [1, 2]
    assert "choose 1 to 2" in refused["error"]["remedy"]
    assert chosen["answer"] == ALKOS[1]
    assert told["answer"] == ALKOS[1], "one turn: the choice has taken the place of the question"
    assert anew["answer"] == "nothing"
    assert (ran.code, ran.err) == (1, "")


@pytest.mark.usefixtures("demo")
def test_what_people_see(chat: Chat) -> None:
    ran = chat("--map", "helsinki", "--model", MODEL, lines=said(ALKO, "1", "", "  ", "/quit", "never asked"))
    assert f"  2. Alko, {ALKOS[1]}\n" in ran.out
    assert f"\n\n{ALKOS[0]}\n" in ran.out
    assert ran.out.count("OpenStreetMap contributors") == 1, "said once"
    assert (ran.code, ran.err) == (0, "")


def test_a_number_without_a_choice_is_a_question(chat: Chat) -> None:
    ran = chat(*HARBOUR, "--json", lines=said("7", "9" * 5000))
    assert [json.loads(line)["error"]["code"] for line in ran.out.splitlines()] == ["program", "program"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"/help", "There are /forget and /quit"),
        (b"x" * 20_001, "longer than 20,000"),
        (b"caf\xe9", "not UTF-8"),
        (b"answer(", "Line 1"),
    ],
    ids=["command", "long", "bytes", "program"],
)
def test_a_line_that_cannot_be_answered_does_not_end_the_conversation(
    chat: Chat, line: bytes, words: str
) -> None:
    lines = said(ADDRESS) + line + b"\n" + said(EARLIER)
    ran = chat(*HARBOUR, lines=lines)
    assert words in ran.err
    address, told = (part.splitlines()[0] for part in ran.out.split("\n\n")[:2])
    assert told == address
    assert ran.code == 1


def test_the_text_holds_for_every_question(chat: Chat, tmp_path: Path) -> None:
    (tmp_path / "facts.txt").write_text("Information of The Anchor:\n- Location: 5 Quay Street.\n")
    lines = said('answer(place("The Anchor").address)', 'answer(place("The Anchor").address)')
    ran = chat("--context", tmp_path / "facts.txt", "--model", MODEL, "--json", lines=lines)
    assert ["Quay Street" in json.loads(line)["answer"] for line in ran.out.splitlines()] == [True, True]


def test_a_missing_map_is_told_before_anything_is_asked(chat: Chat) -> None:
    ran = chat(lines=said("Which cafe is nearest to Ateneum?"))
    assert ran.code == 2
    assert ran.out == ""
    assert "mapagent map add" in ran.err


def test_no_input_at_all(chat: Chat) -> None:
    assert chat(*HARBOUR, lines=b"") == Ran(0, "", "")


class Terminal:
    """A terminal that a person sits at."""

    def __init__(self, end: int, process: subprocess.Popen[bytes]) -> None:
        self._end = end
        self.process = process
        self.seen = ""

    def type(self, text: str) -> None:
        os.write(self._end, text.encode())

    def wait_for(self, text: str) -> None:
        while text not in self.seen:
            try:
                got = os.read(self._end, 4096)
            except OSError:  # Linux says EIO when the other side has gone
                got = b""
            assert got, f"{text!r} never came: {self.seen}"
            self.seen += got.decode(errors="replace")
        self.seen = self.seen.partition(text)[2]


@contextmanager
def terminal(folder: Path, model: str = MODEL) -> Iterator[Terminal]:
    """`mapagent chat` at a terminal over the hand-written world."""
    own, its = pty.openpty()
    path = os.pathsep.join((str(folder / "plugins"), str(TOP)))
    process = subprocess.Popen(
        [*PROGRAM, "chat", *HARBOUR, "--model", model],
        env=dict(os.environ) | {"PYTHONPATH": path, "TERM": "dumb"},
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    )
    os.close(its)
    try:
        yield Terminal(own, process)
    finally:
        process.kill()
        process.wait(WAIT_S)
        os.close(own)


@pytest.mark.parametrize("end", ["\x04", "/quit\n"], ids=["ctrl-d", "quit"])
def test_at_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    register(tmp_path / "plugins", monkeypatch)
    with terminal(tmp_path) as screen:
        screen.wait_for("> ")
        screen.type(f"{EARLIER}\n")
        screen.wait_for("nothing")
        screen.wait_for("> ")
        screen.type(end)
        assert screen.process.wait(WAIT_S) == 0


def test_ctrl_c_ends_it_quietly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a question is at work that would never be answered."""
    awkward.register(tmp_path / "plugins", monkeypatch)
    with terminal(tmp_path, "murmuring") as screen:
        screen.wait_for("> ")
        screen.type("?\n")
        screen.wait_for("Hm.")
        os.kill(screen.process.pid, signal.SIGINT)
        assert screen.process.wait(WAIT_S) == 130
        with pytest.raises(AssertionError, match="never came"):
            screen.wait_for("Traceback")
        assert "Interrupted" not in screen.seen

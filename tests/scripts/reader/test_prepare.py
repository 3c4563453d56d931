"""What the reader is trained on: further versions of an example differ in names and kinds alone.

Packing keeps what was trained, to a 254th of each column's span.
"""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from map_tools.kinds.category_file import vocabulary
from modules.nlu.reader import Over
from modules.nlu.weights import load
from scripts.reader.examples import Example
from scripts.reader.pack import packed
from scripts.reader.prepare import pieces_of, prepare

BEGIN = ["[UNK]", "[CLS]", "[SEP]"]
LETTERS = [
    *"abcdefghijklmnopqrstuvwxyz0123456789?|.",
    *(f"##{one}" for one in "abcdefghijklmnopqrstuvwxyz0123456789"),
]
PIECES = [*BEGIN, *LETTERS]
KINDS = ("cafe", "museum", "pharmacy", "hotel")
NAMES = ("Kiasma", "Ateneum", "Amos Rex", "Zetor", "Bio Rex")
type Prepared = dict[str, Any]
BANK = [
    Example("a", f"the {kind} nearest to {name}?", (), f'answer(nearest("{kind}", "{name}"))', Over.MAP)
    for kind in KINDS
    for name in NAMES
]


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    return prepare(BANK, PIECES)


def said(version: dict[str, list[int]], tokens: list[str]) -> tuple[str, str]:
    """The question of a version, letter by letter, and its tokens."""
    letters = [PIECES[number].removeprefix("##") for number in version["ids"] if number >= len(BEGIN)]
    return "".join(letters), " ".join(tokens[number] for number in version["tokens"])


def test_all_versions_ask_the_same_of_other_places(prepared: Prepared) -> None:
    assert len(prepared["examples"]) == len(BANK)
    changed = 0
    for versions in prepared["examples"]:
        told = [said(version, prepared["tokens"]) for version in versions]
        assert len({program for _, program in told}) == 1, "names and kinds are pointed at"
        assert all(text.startswith("the") and "nearestto" in text for text, _ in told)
        changed += sum(text != told[0][0] for text, _ in told[1:])
    assert changed > len(BANK), "names are changed, not always"


def test_pointers_of_versions_stand_on_names_and_kinds(prepared: Prepared) -> None:
    names = {name.replace(" ", "").lower() for name in NAMES}
    known = {*KINDS, *("[UNK]".join(part[:8] for part in one.split("_")) for one in vocabulary().concepts)}
    for version in (one for versions in prepared["examples"] for one in versions):
        text = []
        for span in filter(None, version["spans"]):
            first, last = version["first"][span[0]], version["last"][span[1]]
            text.append(
                "".join(PIECES[number].removeprefix("##") for number in version["ids"][first : last + 1])
            )
        assert text[0] in known
        assert any(name in text[1] for name in names)


def test_it_is_the_same_each_time(prepared: Prepared) -> None:
    assert json.dumps(prepare(BANK, PIECES)) == json.dumps(prepared)


def test_pieces_are_read_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": {"vocab": {"b": 1, "a": 0, "c": 2}}}))
    assert pieces_of(tmp_path) == ["a", "b", "c"]


def test_arrays_come_back_in_their_tables() -> None:
    chance = np.random.default_rng(2)
    weights = {
        "encoder.words": chance.normal(size=(7, 4)), "encoder.layers.0.out": chance.normal(size=(4, 5)),
        "encoder.layers.1.out": chance.normal(size=(4, 5)) * 9, "encoder.norm": chance.normal(size=(2, 4)),
    }  # fmt: skip
    named = {name.replace(".", "/"): value.astype(np.float32) for name, value in weights.items()}
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **packed(named, ["a", "b"], ["x"]))
    file.seek(0)
    found = load(file)
    assert (found.tokens, found.pieces) == (("a", "b"), ("x",))
    encoder = found.arrays["encoder"]
    for number in (0, 1):
        want = weights[f"encoder.layers.{number}.out"]
        assert np.all(
            np.abs(encoder["layers"][number]["out"] - want) <= np.abs(want).max(axis=0) / 254 + 1e-6
        )
    assert np.allclose(encoder["norm"], weights["encoder.norm"], atol=1e-6)
    words = encoder["words"] * encoder["words_scale"]
    assert np.all(
        np.abs(words - weights["encoder.words"]) <= np.abs(weights["encoder.words"]).max(axis=0) / 254 + 1e-6
    )

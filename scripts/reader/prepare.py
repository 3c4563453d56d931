"""Makes of the example bank what the network is trained on; runs in the project's own environment.

    python -m scripts.reader.prepare MINILM_FOLDER OUT.json.gz [--without AUTHOR...]

Each example comes with further versions that name other places and sometimes other kinds of places, so that both are
learned from where they stand.
"""

import argparse
import gzip
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from map_tools.kinds import concepts
from modules.nlu.network import LONGEST_INPUT, LONGEST_PROGRAM
from modules.nlu.rows import LITERAL, MAP
from modules.nlu.words import Vocabulary
from modules.query.values.moment import is_time
from scripts.reader.examples import (
    NAMED,
    STRETCHED,
    UNSEEN,
    Example,
    Target,
    examples,
    pool_of,
    renamed,
    stretched,
    target_of,
)

VERSIONS = 3
"""So many further versions of each example."""
TWICE = re.compile(r"(?:t|told|talk-g)\d+|m(?:1[7-9]|[2-9]\d)")
"""Authors whose questions are taken twice: they are few, and what they ask is the hardest, or the least alike."""
FOLLOWING = 0.15
"""The share of examples that in one version stand behind a question they have nothing to do with."""
LEAST = 4
"""Literals that fewer programs have are no tokens of their own."""
SPECIAL = ("<fill>", "<begin>", "<end>")


def main(arguments: Sequence[str]) -> None:
    """Writes the prepared examples."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", type=Path, help="the folder of MiniLM: tokenizer.json")
    parser.add_argument("out", type=Path)
    parser.add_argument(
        "--without", nargs="*", default=UNSEEN, help="authors left out, with all that words them anew"
    )
    given = parser.parse_args(arguments)
    left_out = frozenset(given.without)
    kept = [one for one in examples() if one.author not in left_out and one.base not in left_out]
    prepared = prepare(kept, pieces_of(given.base))
    with gzip.open(given.out, "wt", encoding="utf-8", compresslevel=3) as file:
        json.dump(prepared, file)
    sys.stdout.write(
        f"{len(prepared['examples'])} of {len(kept)} examples, {len(prepared['tokens'])} tokens\n"
    )


def pieces_of(base: Path) -> list[str]:
    """The pieces that the pretrained encoder reads, in the order of their numbers."""
    told = json.loads((base / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    return sorted(told, key=lambda piece: told[piece])


def prepare(kept: Sequence[Example], pieces: Sequence[str], *, seed: int = 1) -> dict[str, Any]:
    """Tokens, pieces, and for each example its versions as numbers."""
    chance = random.Random(seed)  # noqa: S311 (nothing is secret)
    told = [(one, target) for one in kept if (target := target_of(one)) is not None]
    tokens = (*SPECIAL, *_tokens(target for _, target in told))
    numbers = {token: number for number, token in enumerate(tokens)}
    vocabulary = Vocabulary(pieces)
    pool = pool_of([target for _, target in told])
    made = []
    for example, target in told:
        if not numbers.keys() >= set(target.tokens) or _is_long(target):
            continue
        for _ in range(2 if TWICE.fullmatch(example.author) else 1):
            versions = [target]
            for _ in range(VERSIONS):
                source = stretched(target, pool, chance) if chance.random() < STRETCHED else target
                versions.append(renamed(source, pool, chance))
            if not example.earlier and chance.random() < FOLLOWING:
                asked = chance.choice(told)[0].question
                versions[-1] = replace(versions[-1], words=versions[-1].words.behind(asked))
            fitting = [target if _is_long(one) else one for one in versions]
            made.append([_numbered(one, example, vocabulary, numbers) for one in fitting])
    return {"tokens": tokens, "pieces": pieces, "examples": made}


def _is_long(target: Target) -> bool:
    return len(target.tokens) >= LONGEST_PROGRAM - 1


def _tokens(targets: Iterable[Target]) -> list[str]:
    """All tokens of the language, and the literals that several programs have; the commonest first.

    Names are never among them: they come from the question.
    """
    counted: Counter[str] = Counter()
    for target in targets:
        counted.update(
            {token for token, role in zip(target.tokens, target.roles, strict=True) if _lasting(token, role)}
        )
    ordered = sorted(counted, key=lambda one: (-counted[one], one))
    return [one for one in ordered if not one.startswith(LITERAL) or one == "==" or counted[one] >= LEAST]


def _lasting(token: str, role: str) -> bool:
    words = token.removeprefix(LITERAL)
    return role not in NAMED or words == MAP or concepts.lookup(words) is not None or is_time(words)


def _numbered(target: Target, example: Example, vocabulary: Vocabulary, numbers: dict[str, int]) -> Any:
    """A version as the numbers that training reads."""
    pieces = vocabulary.pieces(target.words, example.over, longest=LONGEST_INPUT)
    known = len(pieces.first)
    spans = [span if span is not None and span[1] < known else None for span in target.spans]
    return {
        "ids": pieces.ids, "segments": pieces.segments, "first": pieces.first, "last": pieces.last,
        "usable": pieces.usable, "tokens": [numbers[token] for token in target.tokens], "spans": spans,
    }  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])

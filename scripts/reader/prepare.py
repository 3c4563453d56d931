"""Makes of the example bank what the network is trained on; runs in the project's own environment.

    python -m scripts.reader.prepare MINILM_FOLDER OUT.json.gz [--without AUTHOR...]

Each example comes with further versions that name other places and sometimes other kinds of places, so that both are
learned from where they stand.
"""

import argparse
import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from map_tools import category_file, concepts
from modules.nlu.network import LONGEST_INPUT, LONGEST_PROGRAM
from modules.nlu.rows import LITERAL, MAP
from modules.nlu.words import Vocabulary, Words, spans_in
from modules.query.values.moment import is_time
from scripts.reader.examples import UNSEEN, Example, Target, examples, target_of

VERSIONS = 3
"""So many further versions of each example."""
RENAMED = 0.75
"""The share of names that a version replaces."""
CHANGED = 0.3
"""The share of kinds that a version replaces."""
JOINED = 0.25
"""The share of new names that are made of two."""
JOINTS = (
    "{}: {}", "{} - {}", "{} at {}", "{} ({})", "{} & {}", "{}, {}",
    "{} by {}", "{};{}", "{} of {}", "{} from {}", "{}/{}",
)  # fmt: skip
"""How names are made of two: in data of the whole world they hold what else stands between names."""
FOLLOWING = 0.15
"""The share of examples that in one version stand behind a question they have nothing to do with."""
LEAST = 4
"""Literals that fewer programs have are no tokens of their own."""
SPECIAL = ("<fill>", "<begin>", "<end>")
_NAMED = frozenset({"Place", "Area", "Line", "Any", "List"})
"""Roles whose words may be names."""


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
    names = sorted({name for _, target in told for name in _said(target, _named_spans(target))})
    said = {kind.lower() for _, target in told for kind in _said(target, _kind_spans(target))}
    kinds = sorted(said | set(category_file.vocabulary().concepts))
    made = []
    for example, target in told:
        if not numbers.keys() >= set(target.tokens) or len(target.tokens) >= LONGEST_PROGRAM - 1:
            continue
        versions = [target, *(_renamed(target, names, kinds, chance) for _ in range(VERSIONS))]
        if not example.earlier and chance.random() < FOLLOWING:
            asked = chance.choice(told)[0].question
            versions[-1] = replace(versions[-1], words=versions[-1].words.behind(asked))
        made.append([_numbered(one, example, vocabulary, numbers) for one in versions])
    return {"tokens": tokens, "pieces": pieces, "examples": made}


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
    return role not in _NAMED or words == MAP or concepts.lookup(words) is not None or is_time(words)


def _said(target: Target, spans: Iterable[tuple[int, int]]) -> list[str]:
    """The words of some spans, each once."""
    return list({target.words.said(*span) for span in spans})


def _named_spans(target: Target) -> list[tuple[int, int]]:
    found = {
        span
        for token, span, role in zip(target.tokens, target.spans, target.roles, strict=True)
        if token == "S" and span and role in _NAMED and concepts.lookup(target.words.said(*span)) is None  # noqa: S105
    }
    spans = [span for span in target.spans if span is not None]
    return sorted(
        one for one in found if all(one == other or other[1] < one[0] or other[0] > one[1] for other in spans)
    )


def _kind_spans(target: Target) -> list[tuple[int, int]]:
    """Where a question has words for a kind; not those that are looked at as anything else, too."""
    roles: dict[tuple[int, int], set[str]] = {}
    for span, role in zip(target.spans, target.roles, strict=True):
        if span is not None:
            roles.setdefault(span, set()).add(role)
    return [
        span
        for span, own in sorted(roles.items())
        if own == {"What"} and concepts.lookup(target.words.said(*span)) is not None
    ]


def _name(names: Sequence[str], chance: random.Random) -> str:
    """A name, sometimes one made of two."""
    if chance.random() >= JOINED:
        return chance.choice(names)
    return chance.choice(JOINTS).format(chance.choice(names), chance.choice(names))


def _renamed(target: Target, names: Sequence[str], kinds: Sequence[str], chance: random.Random) -> Target:
    """The same question about other places."""
    new = {span: _name(names, chance) for span in _named_spans(target) if chance.random() < RENAMED}
    for span in _kind_spans(target):
        many = target.words.said(*span).endswith("s")
        if chance.random() < CHANGED and all(span[1] < one[0] or one[1] < span[0] for one in new):
            new[span] = chance.choice([kind for kind in kinds if kind.endswith("s") == many])
    chosen = sorted(new)
    old = target.words
    text, spans, segments, moved = "", list[tuple[int, int]](), list[int](), dict[int, tuple[int, int]]()
    number, written = 0, 0
    while number < len(old.spans):
        span = next((one for one in chosen if one[0] == number), (number, number))
        said = old.said(*span)
        name = new.get(span, said)
        name = name.lower() if span in new and said.islower() else name
        text += old.text[written : old.spans[number][0]]
        own = (
            [(len(text) + begin, len(text) + end) for begin, end in spans_in(name)]
            if span in new
            else [(len(text), len(text) + len(said))]
        )
        for inner in range(span[0], span[1] + 1):
            moved[inner] = (len(spans), len(spans) + len(own) - 1)
        spans += own
        segments += [old.segments[number]] * len(own)
        text += name
        written, number = old.spans[span[1]][1], span[1] + 1
    points = tuple(None if span is None else (moved[span[0]][0], moved[span[1]][1]) for span in target.spans)
    return replace(target, words=Words(text, tuple(spans), tuple(segments)), spans=points)


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

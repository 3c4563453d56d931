"""What the commands that generate open questions over a map share: their arguments and what they tell."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.generate.folder import DATASET_FILE
from mapagent.faces.cli.arguments import add_config, positive


def add_common(parser: ArgumentParser, unit: str) -> None:
    """Map, size, seed and folder; `unit` is what questions are counted by ("template")."""
    parser.add_argument("--map", required=True, metavar="M", help="the map the questions are about")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--per-template", type=positive, metavar="N", help=f"questions of each {unit}")
    size.add_argument("--n", type=positive, metavar="N", help=f"questions in all, shared by the {unit}s")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="equal seeds make equal questions")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write")
    add_config(parser)


def told(manifest: dict[str, Any], out: Path, more: Sequence[str] = ()) -> str:
    """What was made, in lines; `more` stands behind the first one."""
    lines = [f"{manifest['n']} questions about the map '{manifest['map']}' in {out / DATASET_FILE}", *more]
    lines += [f"not filled: {name} ({why})" for name, why in sorted(manifest["given_up"].items())]
    return "\n".join([*lines, manifest["attribution"]])

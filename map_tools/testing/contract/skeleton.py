"""Writes the beginnings of a package with a provider of one's own.

The files are in the folder `template`; `@NAME@`, `@MODULE@` and `@CLASS@` in their names and texts are filled
in.
"""

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from map_tools.errors import UsageError

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
SUFFIX = ".tmpl"


def write_skeleton(name: str, folder: Path) -> tuple[Path, ...]:
    """Writes the package `NAME` below a folder.

    Args:
        name: Name of the provider, as `--provider` will take it ("my-maps").
        folder: Where the package's folder is made.

    Returns:
        The files written.

    Raises:
        UsageError: The name is not one, or there is such a folder already, or it cannot be written.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"'{name}' cannot be the name of a provider.",
            "Use small letters, digits and single '-', beginning with a letter.",
        )
    target = folder / name
    if target.exists():
        raise UsageError(
            f"There is a '{target}' already.", "Choose another name, or another folder with --to."
        )
    words = {
        "@NAME@": name,
        "@MODULE@": name.replace("-", "_"),
        "@CLASS@": "".join(part.capitalize() for part in name.split("-")),
    }
    try:
        return tuple(_copy(files("map_tools.testing.contract") / "template", target, words))
    except OSError as error:
        raise UsageError(
            f"The folder {target} cannot be written: {error.strerror}.", "Name another folder with --to."
        ) from error


def _copy(source: Traversable, target: Path, words: dict[str, str]) -> list[Path]:
    target.mkdir(parents=True)
    written: list[Path] = []
    for entry in sorted(source.iterdir(), key=lambda each: each.name):
        name = _filled(entry.name, words).removesuffix(SUFFIX)
        if entry.is_dir():
            written += _copy(entry, target / name, words)
        else:
            (target / name).write_text(_filled(entry.read_text("utf-8"), words), "utf-8")
            written.append(target / name)
    return written


def _filled(text: str, words: dict[str, str]) -> str:
    for mark, word in words.items():
        text = text.replace(mark, word)
    return text

"""Prompts are data files, `PACKAGE/prompts/NAME.md`: filled in strictly, replaceable from a folder of the user's.

A placeholder is written `{{name}}`. A value is put in as it stands: braces in it are never read as
placeholders, so what a map or a page says cannot reach another value.
"""

import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from map_tools.errors import ConfigError, InputFileError

_PLACEHOLDER = re.compile(r"\{\{([a-z][a-z0-9_]*)\}\}")
_HASH_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt's words.

    Attributes:
        name: The file's name without ".md".
        text: The words, with their placeholders.
    """

    name: str
    text: str

    @property
    def hash(self) -> str:
        """The first digits of the SHA-256 of the words, for traces and cache keys."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:_HASH_DIGITS]

    @property
    def mark(self) -> str:
        """Name and hash, as shown in traces (`ChatMessage.prompt`)."""
        return f"{self.name}@{self.hash}"

    @property
    def placeholders(self) -> frozenset[str]:
        """The names that `fill` requires."""
        return frozenset(_PLACEHOLDER.findall(self.text))

    def fill(self, **values: str) -> str:
        """The words with every placeholder filled in.

        Raises:
            ConfigError: A placeholder gets no value, or a value has no placeholder.
        """
        wanted = self.placeholders
        if missing := sorted(wanted - values.keys()):
            raise ConfigError(f"The prompt '{self.name}' lacks a value for {{{{{missing[0]}}}}}.")
        if unknown := sorted(values.keys() - wanted):
            raise ConfigError(
                f"The prompt '{self.name}' has no placeholder {{{{{unknown[0]}}}}}.",
                "Add it to the prompt's file, or remove your file to use the built-in one.",
            )
        return _PLACEHOLDER.sub(lambda match: values[match.group(1)], self.text)


def load_prompt(package: str, name: str, folder: Path | None = None) -> Prompt:
    """Reads a prompt.

    Args:
        package: The package it belongs to, such as "modules.planner".
        name: The file's name without ".md".
        folder: Prompts of the user's own (the setting `prompts`): `folder/PACKAGE/NAME.md` wins.

    Raises:
        ConfigError: There is no such prompt, or it has braces that are no placeholder.
        InputFileError: The user's file cannot be read.
    """
    own = folder / package / f"{name}.md" if folder is not None else None
    text = _own_text(own) if own is not None and own.is_file() else _built_in(package, name)
    prompt = Prompt(name, text.strip())
    if "{{" in _PLACEHOLDER.sub("", prompt.text):
        raise ConfigError(
            f"The prompt '{name}' of {package} has '{{{{' that begins no placeholder.",
            "Write {{name}} with small letters, digits and underscores.",
        )
    return prompt


def _own_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputFileError(
            f"The prompt file {path} cannot be read as text.", "Save it as UTF-8, or remove it."
        ) from error


def _built_in(package: str, name: str) -> str:
    try:
        return (files(package) / "prompts" / f"{name}.md").read_text(encoding="utf-8")
    except (FileNotFoundError, ModuleNotFoundError) as error:
        raise ConfigError(f"There is no prompt '{name}' in {package}.") from error

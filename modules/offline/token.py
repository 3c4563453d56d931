"""A word of a question."""

from dataclasses import dataclass

_ELIDED = 4
"""The longest article that loses its vowel before a name ("dell'Arte", with a letter to spare)."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a sign of the question.

    Attributes:
        start: Where it begins in the tidied text; `end` where it ends.
        text: As written. `norm`: lower case, contractions resolved ("'m" is "am"), a possessive "'s" kept.
        initial: True for the first word of a sentence.
    """

    start: int
    end: int
    text: str
    norm: str
    initial: bool = False

    @property
    def is_word(self) -> bool:
        """True for words and numbers, False for punctuation."""
        return self.text[0].isalnum()

    @property
    def capital(self) -> bool:
        """True if written with a capital ("d'Armes" too), or in a script that has none."""
        head, apostrophe, rest = self.text.partition("'")
        first = rest[0] if apostrophe and rest and len(head) <= _ELIDED else self.text[0]
        return first.isalpha() and not first.islower()

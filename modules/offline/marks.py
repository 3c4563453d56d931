"""What an analysis of a question is made of: marks over stretches of its text, and mentions of places."""

from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Mark[T]:
    """`text[start:end]` of the question means `value`."""

    start: int
    end: int
    value: T


@dataclass(frozen=True, slots=True)
class Mention:
    """Words that name a place.

    Attributes:
        start: Where the words begin in the text; `end` where they end.
        text: The name, without what qualifies it.
        role: What the words before it make of it: "from", "to", "near", "of", "at", "in", "via", "on",
            "between", "named", "than"; "without" (to be left out), "self" (where the speaker is), "target"
            (looked for: "nearest Starbucks"), "qualifier" ("X in Paris": Paris), else "subject".
        strength: 1 quoted, 0.9 capitals, 0.7 known to the map, 0.5 unknown words, 0.3 only a kind of place.
        parts: The names it falls into when read as a list ("A and B"); empty if it is one name.
        qualifier: Where it lies, as the question says ("Paris").
    """

    start: int
    end: int
    text: str
    role: str = "subject"
    strength: float = 0.9
    parts: "tuple[Mention, ...]" = field(default=())
    qualifier: str = ""

    @property
    def place(self) -> str:
        """The name with its qualifier, as the tools are to look it up."""
        return f"{self.text}, {self.qualifier}" if self.qualifier else self.text

    def split(self) -> "tuple[Mention, ...]":
        """The names of a list, or this one alone. The list's role holds for each of them."""
        return tuple(replace(part, role=self.role) for part in self.parts) or (self,)

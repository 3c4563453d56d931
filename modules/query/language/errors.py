"""What is wrong with a program: the line, what stands there, what the language wants, the mend."""

from map_tools.errors import UsageError


class ProgramError(UsageError):
    """A program that cannot be run: its form, a name, a type or a bound.

    Args:
        line: Where, from 1; 0 for the program as a whole.
        problem: What was found and what the language wants, as one sentence.
        mend: What to write instead.
    """

    code = "program"

    def __init__(self, line: int, problem: str, mend: str = "") -> None:
        where = f"Line {line}: " if line else ""
        super().__init__(where + problem, mend)
        self.line = line
        self.problem = problem


def did_you_mean(wrong: str, known: object) -> str:
    """The known name most like a wrong one, as the end of a sentence; empty if none is like it."""
    import difflib

    names = [str(name) for name in known] if hasattr(known, "__iter__") else []
    near = difflib.get_close_matches(wrong, names, n=1, cutoff=0.6)
    return f"Did you mean `{near[0]}`?" if near else ""

"""What is wrong with a program, and the known name that a wrong one is most like."""

from map_tools.errors import ProgramError

__all__ = ["ProgramError", "did_you_mean"]


def did_you_mean(wrong: str, known: object) -> str:
    """The known name most like a wrong one, as the end of a sentence; empty if none is like it."""
    import difflib

    names = [str(name) for name in known] if hasattr(known, "__iter__") else []
    near = difflib.get_close_matches(wrong, names, n=1, cutoff=0.6)
    return f"Did you mean `{near[0]}`?" if near else ""

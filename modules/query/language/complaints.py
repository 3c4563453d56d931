"""What to tell somebody whose program has not the form of one: what is not in the language, and what is."""

import re

from map_tools.errors import ProgramError

_LOOKING_BACK = 60
_WORD = re.compile(r"\w+")
_REPAIRS: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(pattern), problem, mend)
    for pattern, problem, mend in (
        (r"^\s*(?:True|False|None|if|else|and|or|not|in|for|lambda)\s*=(?!=)", "a word of the language is no name.",
         "Choose another name."),
        (r"^\s*(?:for|while)\b", "there are no loops here.",
         "A list: `[p for p in cafes if p.wifi]`; the best one: `min(cafes, key=lambda p: …)`."),
        (r"^\s*(?:if|elif|else)\b", "there are no if statements here.", "Write `x if condition else y`."),
        (r"^\s*(?:import|from)\b", "nothing can be imported.", "All operators are there already."),
        (r"^\s*(?:def|class|return|with|try|async)\b", "there are no functions of one's own here.",
         "Write one expression a line; `lambda p: …` stands only as where=, key= or by=."),
        (r"(?:^|[^\w])f[\"']", "there are no f-strings.", "Give each value as a part of `answer`."),
        (r"\w\.\w+\s*\($", "there are no methods.",
         "Operators are called by name: `sort(cafes, key=…)`, `count(cafes)`."),
        (r"[\w)\]]\s*\[\s*[\"'][^\"']*[\"']?$", "facts are not asked for with brackets.",
         "Write `p.wifi`, or `fact(p, \"addr:city\")` for a key that is no name."),
        (r"[\w)\]]\s*\[\s*[A-Za-z]$", "a place in a list is a constant whole number.",
         "Write `xs[0]`, `xs[-1]` or `xs[:3]`."),
        (r"\{$", "there are no dictionaries or sets.", "Give values as parts: `answer(a, walk=b)`."),
        (r"\*\*$|//$|%$", "there is no such operation.", "There are + - * /."),
        (r"^\s*\w+\s*==", "a comparison is no line of its own.", "Write `name = x == y`, or give it to `answer`."),
        (r"\b_\w*$", "names begin with a letter.", "Choose another name."),
        (r"\bNone$", "there is no None.", "What is not known is Unknown: test it with `known(x)`."),
        (r";$", "one statement a line.", "Begin a new line."),
    )
)  # fmt: skip


def complaint(text: str, position: int, line: int, found: str) -> ProgramError:
    """The error for a text that the grammar cannot read on from a position.

    Args:
        text: The program, comments taken out.
        position: Where reading stopped.
        line: Its line.
        found: What stands there; empty if it is no word of the language at all.
    """
    begin = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    whole = text[begin : end if end >= 0 else len(text)]
    word = _WORD.match(text, position)
    last = position + len(found) if found and found != "$END" else word.end() if word else position + 1
    read = text[max(begin, position - _LOOKING_BACK) : last]
    for pattern, problem, mend in _REPAIRS:
        if pattern.search(whole if pattern.pattern.startswith("^") else read.rstrip()):
            return ProgramError(line, problem, mend)
    shown = found.strip() or text[position : position + 1].strip()
    if not text.strip():
        return ProgramError(0, "The program is empty.", "Write at least `answer(…)`.")
    if not shown or found == "$END":
        return ProgramError(line, "the line ends too early.", "Close its brackets and quotation marks.")
    before = text[begin:position].strip()
    where = f"behind `{before[-30:]}`" if before else "at the beginning of a line"
    if not before:
        return ProgramError(
            line, f"`{shown}` cannot stand {where}.", "A line is `name = …`, the last one `answer(…)`."
        )
    return ProgramError(
        line, f"`{shown}` cannot stand {where}.", "Look for a missing comma, bracket or quote."
    )

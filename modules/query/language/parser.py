"""From text to tree: bounds first, then the grammar, then the tree.

For a text that is not a program, the error says what is wrong and how to fix it.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

from map_tools.errors import ProgramError
from mapagent.core.rendering import MAX_STRING_CHARS
from modules.query.language import syntax

if TYPE_CHECKING:
    from lark import Lark, Token, Tree


MAX_BYTES = 4096
MAX_LINES = 30
MAX_DEPTH = 12
"""Brackets within brackets, and nodes within nodes outside of chains."""
MAX_NODES = 300
MAX_DIGITS = 15
"""Digits of a number: what a float holds exactly."""
FORMAT = "# mapquery 1"
"""The first line of a saved program; optional. Later formats have a later number."""

_PIECE = re.compile(
    r"""(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?P<comment>\#[^\n]*)|(?P<open>[(\[{])|(?P<close>[)\]}])"""
    r"|(?P<newline>\n)|(?P<other>[^\n]|$)"
)
_FENCE = re.compile(r"^\s*```[\w-]*\n(.*?)\n?```\s*$", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)")
_SIGNS: Mapping[str, Literal["+", "-", "*", "/"]] = {"+": "+", "-": "-", "*": "*", "/": "/"}


@dataclass(frozen=True, slots=True)
class _Scanned:
    """A program made ready for the grammar: comments and line breaks within brackets are blanks."""

    text: str
    starts: tuple[int, ...]
    comments: dict[int, str]

    def line_at(self, position: int) -> int:
        """The line of a character, from 1."""
        return bisect_right(self.starts, position)


def parse(text: str) -> syntax.Program:
    """The tree of a program. A fenced block (```) around it is taken off.

    Raises:
        ProgramError: It is too large or not syntactically a program.
    """
    from lark.exceptions import UnexpectedInput

    fenced = _FENCE.match(text)
    source = (fenced[1] if fenced else text).replace("\r\n", "\n").replace("\t", " ")
    scanned = _scan(source)
    try:
        tree = _grammar().parse(scanned.text)
    except UnexpectedInput as error:
        position = error.pos_in_stream
        if position is None or position < 0:  # the end of the text
            position = len(scanned.text.rstrip())
        token = getattr(error, "token", None)
        found = "" if token is None else "$END" if token.type == "$END" else str(token)
        raise complaint(scanned.text, position, scanned.line_at(position), found) from None
    return _Builder(scanned).program(tree, source)


def _scan(source: str) -> _Scanned:
    """Checks the bounds that need no grammar, joins lines within brackets and takes comments out."""
    if len(source.encode("utf-8", "replace")) > MAX_BYTES:
        raise ProgramError(0, f"The program is longer than {MAX_BYTES} bytes.", "Ask for less at once.")
    if source.count("\n") >= 4 * MAX_LINES:
        raise ProgramError(0, f"The program has more than {MAX_LINES} statements.", "Ask for less at once.")
    pieces: list[str] = []
    comments: dict[int, str] = {}
    depth, line = 0, 1
    for match in _PIECE.finditer(source):
        piece, kind = match.group(), match.lastgroup
        if kind == "comment":
            comments[line] = piece.lstrip("# ").rstrip()
            piece = " " * len(piece)
        elif kind == "newline":
            line += 1
            piece = " " if depth else "\n"
        elif kind == "open":
            depth += 1
            if depth > MAX_DEPTH:
                raise ProgramError(
                    line, f"Brackets are nested deeper than {MAX_DEPTH}.", "Give parts a name of their own."
                )
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "string" and len(piece) > MAX_STRING_CHARS + 2:
            raise ProgramError(line, f"A text is longer than {MAX_STRING_CHARS} characters.", "Shorten it.")
        pieces.append(piece)
    starts = [0, *(index + 1 for index, char in enumerate(source) if char == "\n")]
    return _Scanned("".join(pieces), tuple(starts), comments)


@lru_cache(maxsize=1)
def _grammar() -> "Lark":
    from lark import Lark

    text = resources.files(__package__).joinpath("program.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", propagate_positions=True, maybe_placeholders=True)


class _Builder:
    """Makes the tree of what the grammar found."""

    def __init__(self, scanned: _Scanned) -> None:
        self._scanned = scanned
        self._count = 0

    def program(self, tree: "Tree[Token]", source: str) -> syntax.Program:
        """Builds the program, and checks the limits on its whole."""
        parts = [part for part in tree.children if part is not None]
        if len(parts) > MAX_LINES:
            raise ProgramError(
                0, f"The program has more than {MAX_LINES} statements.", "Ask for less at once."
            )
        statements = tuple(self._statement(part) for part in parts)
        if self._count > MAX_NODES:
            raise ProgramError(0, f"The program has more than {MAX_NODES} parts.", "Ask for less at once.")
        return syntax.Program(statements, source, self._count)

    def _statement(self, tree: Any) -> syntax.Statement:
        line = self._line(tree)
        if tree.data == "assign":
            name, expr = tree.children
            return syntax.Statement(str(name), self._expr(expr, 0), self._comment(line), line)
        return syntax.Statement(None, self._expr(tree.children[0], 0), self._comment(line), line)

    def _comment(self, line: int) -> str:
        """What is written behind a line, or on lines of its own above it."""
        comments = self._scanned.comments
        if comments.get(line):
            return comments[line]
        above = line - 1
        code = self._scanned.text.split("\n")
        while above >= 1 and above in comments and not code[above - 1 : above][0].strip():
            if comments[above] and not f"# {comments[above]}".startswith("# mapquery"):
                return comments[above]
            above -= 1
        return ""

    def _line(self, tree: Any) -> int:
        from lark import Token

        position = tree.start_pos if isinstance(tree, Token) else tree.meta.start_pos
        return self._scanned.line_at(position or 0)

    def _place(self, tree: Any) -> tuple[int, int]:
        """Number and line of the next node."""
        number = self._count
        self._count += 1
        return number, self._line(tree)

    def _expr(self, tree: Any, depth: int) -> Any:
        if depth > 8 * MAX_DEPTH:
            raise ProgramError(
                self._line(tree), "This is nested too deeply.", "Give parts a name of their own."
            )
        build = getattr(self, f"_{tree.data}")
        return build(tree, depth + 1)

    def _number(self, tree: Any, _depth: int) -> syntax.Number:
        return syntax.Number(*self._place(tree), value=self._value(tree.children[0]))

    def _value(self, token: "Token") -> float:
        if len(token.replace(".", "")) > MAX_DIGITS:
            line = self._scanned.line_at(token.start_pos or 0)
            raise ProgramError(line, f"The number {token[:20]}… has more than {MAX_DIGITS} digits.")
        return float(token)

    def _string(self, tree: Any, _depth: int) -> syntax.String:
        text = _ESCAPE.sub(r"\1", str(tree.children[0])[1:-1])
        return syntax.String(*self._place(tree), text=text)

    def _true(self, tree: Any, _depth: int) -> syntax.Truth:
        return syntax.Truth(*self._place(tree), value=True)

    def _false(self, tree: Any, _depth: int) -> syntax.Truth:
        return syntax.Truth(*self._place(tree), value=False)

    def _name(self, tree: Any, _depth: int) -> syntax.Name:
        return syntax.Name(*self._place(tree), name=str(tree.children[0]))

    def _list(self, tree: Any, depth: int) -> syntax.Listing:
        place = self._place(tree)
        return syntax.Listing(*place, items=self._all(tree.children, depth))

    def _mapped(self, tree: Any, depth: int) -> syntax.Mapped:
        return self._mapping(tree.children[0], depth)

    def _mapping(self, tree: Any, depth: int) -> syntax.Mapped:
        place = self._place(tree)
        body, name, source, condition = tree.children
        return syntax.Mapped(
            *place,
            body=syntax.Lambda(*self._place(tree), parameter=str(name), body=self._expr(body, depth)),
            source=self._expr(source, depth),
            condition=None
            if condition is None
            else syntax.Lambda(*self._place(tree), parameter=str(name), body=self._expr(condition, depth)),
        )

    def _call(self, tree: Any, depth: int) -> syntax.Call:
        place = self._place(tree)
        name, *arguments = tree.children
        positional: list[syntax.Argument] = []
        keywords: list[tuple[str, syntax.Argument]] = []
        for argument in arguments:
            if argument is None:
                continue
            if argument.data == "positional":
                if keywords:
                    raise ProgramError(
                        self._line(argument),
                        "A plain argument stands behind one with a name.",
                        "Put it before.",
                    )
                positional.append(self._expr(argument.children[0], depth))
            else:
                key, value = argument.children
                if any(str(key) == known for known, _ in keywords):
                    raise ProgramError(self._line(argument), f"`{key}=` is given twice.", "Give it once.")
                keywords.append((str(key), self._expr(value, depth)))
        return syntax.Call(*place, operator=str(name), positional=tuple(positional), keywords=tuple(keywords))

    def _call_mapped(self, tree: Any, depth: int) -> syntax.Call:
        place = self._place(tree)
        name, mapping = tree.children
        inner = self._mapping(mapping, depth)
        return syntax.Call(*place, operator=str(name), positional=(inner,), keywords=())

    def _lambda(self, tree: Any, depth: int) -> syntax.Lambda:
        place = self._place(tree)
        name, body = tree.children
        return syntax.Lambda(*place, parameter=str(name), body=self._expr(body, depth))

    def _field(self, tree: Any, depth: int) -> syntax.Field:
        place = self._place(tree)
        value, name = tree.children
        return syntax.Field(*place, value=self._expr(value, depth), name=str(name))

    def _index(self, tree: Any, depth: int) -> syntax.Index:
        place = self._place(tree)
        value, at = tree.children
        return syntax.Index(*place, value=self._expr(value, depth), at=self._whole(at))

    def _slice(self, tree: Any, depth: int) -> syntax.Slice:
        place = self._place(tree)
        value, first, last = tree.children
        ends = [None if end is None else self._whole(end) for end in (first, last)]
        return syntax.Slice(*place, value=self._expr(value, depth), first=ends[0], last=ends[1])

    def _whole(self, tree: Any) -> int:
        minus, digits = tree.children
        if "." in digits:
            raise ProgramError(
                self._line(tree), f"[{digits}] is no whole number.", "Places in a list are 0, 1, 2, …"
            )
        return -int(self._value(digits)) if minus else int(self._value(digits))

    def _conditional(self, tree: Any, depth: int) -> syntax.Conditional:
        place = self._place(tree)
        then, condition, otherwise = self._all(tree.children, depth)
        return syntax.Conditional(*place, condition=condition, then=then, otherwise=otherwise)

    def _either(self, tree: Any, depth: int) -> syntax.Logic:
        return syntax.Logic(*self._place(tree), operator="or", items=self._all(tree.children, depth))

    def _both(self, tree: Any, depth: int) -> syntax.Logic:
        return syntax.Logic(*self._place(tree), operator="and", items=self._all(tree.children, depth))

    def _negation(self, tree: Any, depth: int) -> syntax.Negation:
        return syntax.Negation(*self._place(tree), value=self._expr(tree.children[0], depth))

    def _negative(self, tree: Any, depth: int) -> syntax.Negative:
        return syntax.Negative(*self._place(tree), value=self._expr(tree.children[1], depth))

    def _compare(self, tree: Any, depth: int) -> syntax.Comparison:
        place = self._place(tree)
        comparators = [
            "not in" if getattr(one, "data", "") == "not_in" else str(one) for one in tree.children[1::2]
        ]
        items = list(self._all(tree.children[::2], depth))
        for at, (comparator, left, right) in enumerate(zip(comparators, items, items[1:], strict=False), 1):
            if (
                comparator in {"in", "not in"}
                and isinstance(left, syntax.String)
                and isinstance(right, syntax.String)
            ):
                items[at] = self._area_called(right)
        return syntax.Comparison(*place, items=tuple(items), comparators=tuple(comparators))

    def _area_called(self, name: syntax.String) -> syntax.Call:
        """The area of a written name: of two texts that a program writes out, `in` means the places called so."""
        number, self._count = self._count, self._count + 1
        return syntax.Call(number, name.line, operator="area", positional=(name,), keywords=())

    def _arithmetic(self, tree: Any, depth: int) -> syntax.Arithmetic:
        place = self._place(tree)
        left, operator, right = tree.children
        return syntax.Arithmetic(
            *place,
            operator=_SIGNS[str(operator)],
            left=self._expr(left, depth),
            right=self._expr(right, depth),
        )

    def _all(self, trees: Sequence[Any], depth: int) -> tuple[Any, ...]:
        return tuple(self._expr(tree, depth) for tree in trees if tree is not None)


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

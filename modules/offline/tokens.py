"""Words of a question: tidying, splitting into words with their places, contractions, sentences."""

import re
import unicodedata

from modules.offline.lexicon import word_set
from modules.offline.token import Token

_REPLACEMENTS = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u00b4": "'", "`": "'",
        "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u00ab": '"', "\u00bb": '"',
        "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2007": " ", "\u200e": "", "\u200f": "", "\u200b": "",
        "\ufeff": "", "\u2013": "-", "\u2014": "-", "\u2212": "-", "\u2192": ">",
    }
)  # fmt: skip
"""Typographic variants that mean the same in a question (quotes, spaces, dashes, arrows, direction marks)."""

_TOKEN = re.compile(
    r"\d+(?:[.,:]\d+)*(?:/\d+)*(?:st|nd|rd|th)?\b(?![-&][^\W\d_])"
    r"|[ap]\.\s?m\.?(?!\w)"
    r"|(?:[^\W\d_]\.){2,}"
    r"|[^\W_]+(?:['&/+.\-](?=[^\W_])[^\W_]+)*"
    r"|->|\$+|\S"
)
_RUN_ON = re.compile(r"(?<=[a-z]{2})([.?!])(?=[A-Z][a-z])")
"""A sentence that begins without a blank ("... the station.After that ...")."""
_RANKED = re.compile(
    r"\b(second|third|fourth|fifth|sixth|\d+(?:st|nd|rd|th))-"
    r"(?=(?:near\w*|clos\w*|far(?:th\w*)?|furth\w*|best|high\w*|low\w*|most|least|fast\w*|short\w*|long\w*|cheap\w*|quick\w*)\b)",
    re.I,
)
"""An ordinal joined to its superlative ("third-nearest")."""
_SENTENCE_END = frozenset(".?!;\n")
_NEXT_WORD = re.compile(r"\s+([A-Z][a-z]*)\b")
_ASKING_HEADS = frozenset(
    "what where how who when which why there it that here he she this".split()  # noqa: SIM905
)
_SUFFIXES = {"'m": ("am",), "'re": ("are",), "'ve": ("have",), "'ll": ("will",), "'d": ("would",)}
_SPOKEN = {
    "cant": ("can", "not"), "cannot": ("can", "not"), "dont": ("do", "not"), "doesnt": ("does", "not"),
    "isnt": ("is", "not"), "arent": ("are", "not"), "im": ("i", "am"), "ive": ("i", "have"),
    "whats": ("what", "is"), "wheres": ("where", "is"), "hows": ("how", "is"), "whens": ("when", "is"),
    "theres": ("there", "is"), "u": ("you",), "ur": ("your",), "pls": ("please",), "plz": ("please",),
    "wanna": ("want", "to"), "gonna": ("going", "to"), "tmrw": ("tomorrow",), "til": ("till",),
    "nearst": ("nearest",), "w/": ("with",), "r": ("are",),
}  # fmt: skip


def tidy(text: str) -> str:
    """One spelling for quotes, spaces and dashes; runs of blanks become one."""
    plain = unicodedata.normalize("NFC", text).translate(_REPLACEMENTS)
    plain = _RANKED.sub(r"\1 ", _RUN_ON.sub(r"\1 ", plain))
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", plain)).strip()


def tokenise(text: str) -> tuple[Token, ...]:
    """The words and signs of a tidied text, with contractions split into their words."""
    tokens: list[Token] = []
    initial = True
    for match in _TOKEN.finditer(text):
        pieces = _pieces(match.group(), match.start(), tokens[-1].norm if tokens else "")
        for piece in pieces:
            tokens.append(Token(*piece, initial=initial and piece[2][0].isalnum()))
            initial = initial and not piece[2][0].isalnum()
        if _ends_sentence(match, text, tokens):
            initial = True
    return tuple(tokens)


def _pieces(word: str, start: int, before: str) -> list[tuple[int, int, str, str]]:
    lower = word.casefold()
    end = start + len(word)
    if lower in _SPOKEN and not (len(word) == 1 and word.isupper()):
        return [(start, end, word, norm) for norm in _SPOKEN[lower]]
    if lower.endswith("n't") and len(lower) > 3:
        head = {"ca": "can", "wo": "will", "sha": "shall"}.get(lower[:-3], lower[:-3])
        return [(start, end, word, head), (start, end, word, "not")]
    for suffix, norms in _SUFFIXES.items():
        if lower.endswith(suffix):
            cut = end - len(suffix)
            return [
                (start, cut, word[: -len(suffix)], lower[: -len(suffix)]),
                (cut, end, word[-len(suffix) :], norms[0]),
            ]
    if lower.endswith("'s") and len(lower) > 2:
        return _with_s(word, start, lower)
    if lower == "'" and before.endswith("s"):
        return [(start, end, word, "'")]
    return [(start, end, word, lower)]


def _with_s(word: str, start: int, lower: str) -> list[tuple[int, int, str, str]]:
    end, cut = start + len(word), start + len(word) - 2
    tail = "is" if lower[:-2] in _ASKING_HEADS else "'s"
    return [(start, cut, word[:-2], lower[:-2]), (cut, end, word[-2:], tail)]


def _ends_sentence(match: re.Match[str], text: str, tokens: list[Token]) -> bool:
    sign = match.group()
    if sign not in _SENTENCE_END:
        return "\n" in text[match.end() : match.end() + 1]
    if sign != ".":
        return True
    before = tokens[-2].norm if len(tokens) > 1 else ""
    after = text[match.end() : match.end() + 1]
    if after not in {"", " ", "\n"}:
        return False
    if before not in word_set("abbreviation") and (len(before) > 1 or before.isdigit()):
        return True
    following = _NEXT_WORD.match(text, match.end())
    return following is not None and following[1].casefold() in word_set("abbreviation", "openers")


def sentence_of(tokens: tuple[Token, ...]) -> tuple[int, ...]:
    """For each token the number of its sentence."""
    numbers: list[int] = []
    current = -1
    for token in tokens:
        current += token.initial and not (numbers and token.start == tokens[len(numbers) - 1].start)
        numbers.append(max(current, 0))
    return tuple(numbers)

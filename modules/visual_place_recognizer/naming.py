"""Which label a wording means: names as people write them against names as readers of pictures read them.

Of the options of a question, a label is the one's whose text fits its name best.
"""

import tomllib
import unicodedata
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate

from rapidfuzz import fuzz

from map_tools.compute.geodesy import wind_words
from map_tools.facts import PictureFact, PictureLabel
from map_tools.text import SAME_SCORE, normalise, similarity
from mapagent.core.question import Question
from modules.answer_generator.texts import head

READ_SCORE = 0.84
"""Letter by letter, for names of some length: readers drop blanks and mistake letters."""
LEAST_READ = 6
SPELT_SCORE = 0.8
SPELT_LEAD = 0.05
LEAST_SPELT = 5
"""Spelt in another way a name of so many letters is so much alike, and so much more than any other."""
LEAST_MENTION = 4
MENTION_SCORE = 90
"""How well a label's words must fit a stretch of a text that mentions it (0 to 100)."""

READ_SCRIPTS = ("LATIN", "CJK", "HIRAGANA", "KATAKANA", "FULLWIDTH", "MODIFIER")
"""Scripts that the reader of text knows, as the names of their letters in Unicode begin."""

type Scored = tuple[int, PictureLabel]


@lru_cache(maxsize=4096)
def name_score(text: str, label: str) -> float:
    """0 to 1: how surely a wording means a label."""
    best = max(similarity(text, label), similarity(head(text), label))
    x, y = normalise(head(text)).replace(" ", ""), normalise(label).replace(" ", "")
    if min(len(x), len(y)) >= LEAST_READ:
        letters = fuzz.ratio(x, y) / 100
        best = max(best, letters if letters >= READ_SCORE else 0.0)
    return best


def labels_named(text: str, picture: PictureFact) -> tuple[int, ...]:
    """The labels that go by this name, the best first; more than one if the picture has it several times."""
    scored = labels_scored(text, picture)
    return tuple(index for score, index in scored if score >= scored[0][0] - 1e-9)


def labels_scored(text: str, picture: PictureFact) -> tuple[tuple[float, int], ...]:
    """The labels that may go by this name, each with how surely (0 to 1), the surest first."""
    scored = [(name_score(text, label.text), -index) for index, label in enumerate(picture.labels)]
    scored.sort(reverse=True)
    return tuple((score, -index) for score, index in scored if score >= min(SAME_SCORE, READ_SCORE))


def label_spelt(text: str, picture: PictureFact) -> int | None:
    """The only label whose letters are about those of a name that none has: names are spelt in many ways."""
    x = normalise(text).replace(" ", "")
    scored = sorted(
        (
            (fuzz.ratio(x, normalise(label.text).replace(" ", "")) / 100, -index)
            for index, label in enumerate(picture.labels)
        ),
        reverse=True,
    )
    if len(x) < LEAST_SPELT or not scored or scored[0][0] < SPELT_SCORE:
        return None
    return None if len(scored) > 1 and scored[1][0] > scored[0][0] - SPELT_LEAD else -scored[0][1]


def labels_begun(text: str, picture: PictureFact) -> tuple[int, ...]:
    """The labels whose first words are these: options and names on signs are cut off at times."""
    words = normalise(text).split()
    return tuple(
        index
        for index, label in enumerate(picture.labels)
        if words and _is_alike(" ".join(words), " ".join(normalise(label.text).split()[: len(words)]))
    )


def _is_alike(a: str, b: str) -> bool:
    """True for equal words, or long ones that differ in a letter or two."""
    return a == b or (min(len(a), len(b)) >= LEAST_READ and fuzz.ratio(a, b) / 100 >= READ_SCORE)


def labels_mentioned(text: str, picture: PictureFact) -> tuple[int, ...]:
    """The labels whose names occur in a running text, the longest first; none within another's words."""
    running = _Running(text)
    longest_first = sorted(range(len(picture.labels)), key=lambda one: -len(picture.labels[one].text))
    return tuple(index for index in longest_first if running.takes(picture.labels[index].text))


class _Running:
    """A text whose words are taken one name after the other; blanks count for nothing: readers drop them."""

    def __init__(self, text: str) -> None:
        words = normalise(text).split()
        self._letters = "".join(words)
        self._edges = {0, *accumulate(map(len, words))}

    def takes(self, name: str) -> bool:
        """True if the name occurs, beginning and ending where words do; its words are then used up."""
        letters = normalise(name).replace(" ", "")
        if len(letters) < LEAST_MENTION:
            return False
        at = self._letters.find(letters)
        while at >= 0 and not {at, at + len(letters)} <= self._edges:
            at = self._letters.find(letters, at + 1)
        end = at + len(letters)
        if at < 0 and len(letters) >= 2 * LEAST_READ:
            spot = fuzz.partial_ratio_alignment(letters, self._letters, score_cutoff=MENTION_SCORE)
            at, end = (spot.dest_start, spot.dest_end) if spot else (-1, -1)
        if at < 0:
            return False
        self._letters = self._letters[:at] + "_" * (end - at) + self._letters[end:]
        return True


def options_shown(question: Question, picture: PictureFact) -> tuple[Scored, ...]:
    """The options that name a label of the picture: index and label, in the options' order.

    A label that fits one option better is no other's: "Mill Hotel" is not the label "Old Mill Hotel" where
    that is an option too. An option of which no label has the whole name may be the beginning of one. Directions name
    labels in the course of a sentence, and are none.
    """
    texts = dict(question.live_options())
    named = [
        (index, [one for one in labels_scored(text, picture) if _is_name(text, picture.labels[one[1]].text)])
        for index, text in texts.items()
    ]
    best: dict[int, float] = {}
    for _, scored in named:
        for score, at in scored:
            best[at] = max(best.get(at, 0.0), score)
    own = [(index, [at for score, at in scored if score >= best[at] - 1e-9]) for index, scored in named]
    taken = {ats[0] for _, ats in own if ats}
    told = []
    for index, ats in own:
        begun = [at for at in labels_begun(texts[index], picture) if at not in taken]
        if ats:
            told.append((index, picture.labels[ats[0]]))
        elif len(begun) == 1:
            told.append((index, picture.labels[begun[0]]))
    return tuple(told)


def in_winds(question: Question) -> Question:
    """A question whose options are sides of a picture ("upper left"), with winds for them: its top is north."""
    told = [
        " ".join(_sides().get(word, word) for word in normalise(text).split()) for text in question.options
    ]
    if not question.live_options() or any(text.strip() and wind_words(text) is None for text in told):
        return question
    return question.model_copy(update={"options": tuple(told)})


@lru_cache(maxsize=1)
def _sides() -> dict[str, str]:
    return tomllib.loads((files(__package__) / "sides.toml").read_text("utf-8"))


def _is_name(text: str, label: str) -> bool:
    """Whether a text is little more than a label, or begins with it."""
    words, own = normalise(head(text)).split(), normalise(label).split()
    return len(words) <= 2 * len(own) or words[: len(own)] == own


def unread_options(question: Question, shown: tuple[Scored, ...]) -> tuple[int, ...]:
    """The options that no label names, in letters that readers of pictures do not know."""
    found = {index for index, _ in shown}
    return tuple(
        index for index, text in question.live_options() if index not in found and not is_readable(text)
    )


def is_readable(text: str) -> bool:
    """True unless most of the letters are of a script that readers of pictures do not know."""
    letters = [letter for letter in text if letter.isalpha()]
    read = sum(unicodedata.name(letter, "").startswith(READ_SCRIPTS) for letter in letters)
    return 2 * read >= len(letters)

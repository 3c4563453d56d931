"""Which label each option of a question means; a label is the option's that fits its name best."""

import unicodedata
from collections.abc import Iterator

from map_tools.facts import PictureFact, PictureLabel
from mapagent.core.question import Question
from modules.visual_place_recognizer.naming import labels_begun, labels_scored
from modules.visual_place_recognizer.reading import tells_way
from modules.visual_place_recognizer.words import picture_words

type Scored = tuple[int, PictureLabel]


def options_shown(question: Question, picture: PictureFact) -> tuple[Scored, ...]:
    """The options that name a label of the picture: index and label, in the options' order.

    A label that fits one option better is no other's: "Mill Hotel" is not the label "Old Mill Hotel" where
    that is an option too. An option of which no label has the whole name may be the beginning of one.
    """
    named = [(index, labels_scored(text, picture)) for index, text in _places(question)]
    best: dict[int, float] = {}
    for _, scored in named:
        for score, at in scored:
            best[at] = max(best.get(at, 0.0), score)
    own = [(index, [at for score, at in scored if score >= best[at] - 1e-9]) for index, scored in named]
    taken = {ats[0] for _, ats in own if ats}
    texts = dict(_places(question))
    told = []
    for index, ats in own:
        begun = [at for at in labels_begun(texts[index], picture) if at not in taken]
        if ats:
            told.append((index, picture.labels[ats[0]]))
        elif len(begun) == 1:
            told.append((index, picture.labels[begun[0]]))
    return tuple(told)


def unread_options(question: Question, shown: tuple[Scored, ...]) -> tuple[int, ...]:
    """The options that no label names, in letters that readers of pictures do not know."""
    found = {index for index, _ in shown}
    return tuple(index for index, text in _places(question) if index not in found and not is_readable(text))


def is_readable(text: str) -> bool:
    """True unless most of the letters are of a script that readers of pictures do not know."""
    known = tuple(picture_words()["scripts"]["read"])
    letters = [letter for letter in text if letter.isalpha()]
    read = sum(unicodedata.name(letter, "").startswith(known) for letter in letters)
    return 2 * read >= len(letters)


def _places(question: Question) -> Iterator[tuple[int, str]]:
    """The options but those that are directions."""
    return ((index, text) for index, text in question.live_options() if not tells_way(text))

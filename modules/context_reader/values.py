"""Values told by their look, without a label: phones, ratings, addresses, prices, services, hours."""

import re

from map_tools.compute.hours import from_weekly_text
from map_tools.text import normalise
from modules.context_reader.drafts import PlaceDraft
from modules.context_reader.fields import (
    field_of,
    is_unknown,
    labelled_service,
    price_level,
    put_field,
    put_rating,
    service_in,
    with_unit,
)
from modules.context_reader.lines import measures_in, mode_in
from modules.context_reader.vocabulary import forms, words

_CAPITAL = r"[^\W\d_a-zß-öø-ÿ][\w'’.&-]*"
_LINK = (
    r"(?:of|on|upon|the|de|da|das|do|dos|del|von|van|della|di|du|des|la|le|el|al|am|an|der|den|zum|zur|and|&)"
)
_NAME = rf"{_CAPITAL}(?: (?:{_LINK} )*(?:[dl]['’])?{_CAPITAL})*"
_HOUSE = r"\d{1,4}(?:[a-z]\b|[-/]\d+)?(?![\d:.,]*\d| ?(?:[ap]\.?m\b|%|€|\$|EUR|km|m\b|min))"
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("website", re.compile(r"(?:https?://|www\.)[^\s,;)]+[^\s,;.)]")),
    ("email", re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    (
        "phone",
        re.compile(
            r"(?<![\w.,:/-])(?:\+\d|\(\d{2,5}\)|0\d|\d{3}[-. ]\d{3}[-. ]\d)[\d ()/-]{5,}\d(?![\w:])"
            r"|\b(?:tel|phone|telephone|ph|call|ring|number is|(?:it|them|table|us) on)(?: (?:number|of|is|\0+))*[.:]? "
            r"[+(]?\d[\d ()/-]{4,}\d(?![\w:])",
            re.IGNORECASE,
        ),
    ),
    (
        "address",
        re.compile(
            rf"(?:(?<=at )|(?<=on )|(?<=in )|(?<=, )|(?<=\()|(?<=@ )|(?<=: )|(?<=– )|(?<=is ))"
            rf"(?:\d{{1,4}}[a-z]? {_NAME}|{_NAME} {_HOUSE})(?:, \d{{4,5}} {_NAME}|(?:,| in) {_CAPITAL}(?=[.;)]|$))?"
        ),
    ),
    (
        "charge",
        re.compile(
            r"[€$£¥₹] ?\d[\d.,]*"
            r"|(?<![\d.,])\d[\d.,]* ?(?:[€£¥]|(?:EUR|USD|THB|euros?|dollars?|pounds?|crowns?|rials?)\b)"
        ),
    ),
    (
        "rating",
        re.compile(
            r"(?<![\d.,])[0-5](?:[.,]\d)? ?(?:[★⭐]|stars?\b|/ ?5|out of (?:5|five))"
            r"|(?<![\d.,])[0-5][.,]\d(?= ?(?:\(\d|(?:on|from|out of|by)\b))"
            r"|\b(?:rated|rating|rtg|scores?|gives? it|given it)(?: (?:as|at|of|is|a|\0+))*:? "
            r"[0-5](?:[.,]\d)?(?![\d.,]*\d)",
            re.IGNORECASE,
        ),
    ),
    (
        "count",
        re.compile(
            r"\(\d[\d.,]*k?\)|(?<![\d.,])\d[\d.,]*k?\+? (?:[a-z]+ )?"
            r"(?:reviews?|rvws|ratings?|votes?|opinions|people|guests|visitors)\b",
            re.IGNORECASE,
        ),
    ),
)  # fmt: skip
"""What each kind of value looks like; what one covers, none after it is read from."""
_CLASS = re.compile(r"[1-7] ?[*★]?(?:S|[ -]stars? (?:superior|hotel|class)|[ -]stars? S|\*)", re.IGNORECASE)
"""The class of a hotel: "4S", "4*", "4-star hotel"; bare "4 stars" may be a rating."""
_RATED = re.compile(
    r"(?:[★⭐]\s*|rated )?\d(?:[.,]\d+)?\s*(?:[★⭐]|stars?\b|/\s?5|out of 5|\()"
    r"|\(?\d[\d.,]*k?\+?\s*(?:[a-z]+ )?(?:ratings?|reviews?|reviewers?|votes?)\)?$",
    re.IGNORECASE,
)
_BARE_RATING = re.compile(r"[0-5][.,]\d")
_ABOUT = re.compile(
    r"(?:about|only|just|approx|away|from|here|the|cent(?:re|er)|an?|by|[\s~≈:.-])*", re.IGNORECASE
)
_LOOSE = frozenset({"rating", "rating_count", "stars", "price", "phone", "website", "email"})
_NO_PHONE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.: "
_BRACKETS = re.compile(r"\s*[(\[].*")


def put_labelled(draft: PlaceDraft, label: str, value: str) -> None:
    """Notes any labelled value: a field, a service, the hours of a day, else what it looks like, else an attribute."""
    name = field_of(label) or field_of(_BRACKETS.sub("", label)) or _loose_field(label)
    service = labelled_service(label, value)
    if name is not None:
        put_field(draft, name, with_unit(label, value))
    elif service is not None:
        draft.services.setdefault(*service)
    elif set(normalise(label).split()) <= words().days:
        draft.hours.append(f"{label}: {value}")
    elif not is_unknown(value) and not (_telling(label, value) and put_value(draft, value)):
        draft.attributes.setdefault(normalise(label).replace(" ", "_"), value.rstrip("."))


def _telling(label: str, value: str) -> bool:
    """True if a value may tell more of a place than that it has what the label says ("Breakfast: 7-10")."""
    apart = service_in(label) is not None or forms().no_hours.search(label) is not None
    return not apart and any(char.isdigit() or char in "@/" for char in value)


def _loose_field(label: str) -> str | None:
    """The field that the end or the begin of a label names: "guest score", "stars by guests"."""
    parts = normalise(label).split()
    runs = [" ".join(parts[at:]) for at in range(1, len(parts))] + [
        " ".join(parts[:-at]) for at in range(1, len(parts))
    ]
    return next((name for name in map(field_of, runs) if name in _LOOSE), None)


def put_value(draft: PlaceDraft, text: str, *, beside: bool = False) -> bool:
    """Notes a text that is one value from end to end; False if it is none.

    Args:
        draft: The place.
        text: What stands in a line, a cell or a piece of its own.
        beside: Whether it stands beside a name, where a bare number may be a rating, a distance, the time of the way.
    """
    bare = text.strip(" .")
    service = service_in(bare)
    kind = next((kind for kind, pattern in _PATTERNS if pattern.fullmatch(f", {bare}", 2)), None)
    if service is not None:
        draft.services.setdefault(*service)
    elif _CLASS.fullmatch(bare):
        put_field(draft, "stars", bare)
    elif _RATED.match(bare) or (beside and _BARE_RATING.fullmatch(bare)):
        put_rating(draft, bare)
    elif kind is not None and kind != "charge" and not (beside and kind == "address"):
        _put(draft, kind, bare)
    elif not bare.isdigit() and price_level(bare) is not None:
        draft.put("price_level", price_level(bare))
    elif any(map(str.isdigit, bare)) and from_weekly_text(bare).spec is not None:
        draft.hours.append(bare)
    else:
        return _put_way(draft, bare, beside=beside)
    return True


def _put_way(draft: PlaceDraft, text: str, *, beside: bool) -> bool:
    """Notes how far a place is from the anchor of its list, or how long one takes: "300 m away", "10 min walk"."""
    mode, measures = mode_in(text), measures_in(text)
    left = forms().quantity.sub(" ", forms().mode.sub(" ", text))
    if not measures or not _ABOUT.fullmatch(left) or not (beside or "away" in left or "from" in left):
        return False
    if mode is not None and measures.duration_s is not None:
        draft.times_s.setdefault(mode, measures.duration_s)
    elif measures.distance_m is not None:
        draft.distance_m = measures.distance_m
    else:
        return False
    return True


def _put(draft: PlaceDraft, kind: str, text: str) -> None:
    if kind == "phone":
        text = text.lstrip(_NO_PHONE)
    if kind in {"rating", "count"}:
        put_rating(draft, text)
    else:
        put_field(draft, kind, text)

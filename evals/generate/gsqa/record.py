"""A filled template in words: the question, and its record in GS-QA's form."""

import random
from dataclasses import dataclass
from typing import Any

from evals.generate.gsqa.params import Params, Relation
from evals.generate.gsqa.reference import Reference, Thing
from evals.generate.gsqa.solve import Gold
from evals.generate.gsqa.words import (
    Kind,
    Template,
    facts,
    kinds,
    narrow_kinds,
    relation_words,
    said_distance,
    templates,
)

_TABLES = {"largest": "areas", "longest": "lines", "area": "areas", "length": "lines"}


@dataclass(frozen=True, slots=True)
class Made:
    """A question with its answers, and what it was made of."""

    record: dict[str, Any]
    truth: dict[str, Any]


def made(
    number: str, params: Params, gold: Gold, *, reference: Reference, relation: Relation, dice: random.Random
) -> Made:
    """The question and its account; the wording is drawn, unless the map settles it."""
    template = templates()[params.template]
    wordings = _wordings(template, params)
    chosen = dice.randrange(len(wordings))
    text = worded(wordings[chosen], params, reference) + (
        relation_words(relation) if template.by_region else ""
    )
    record: dict[str, Any] = {
        "id": number,
        "template": template.id,
        "type": template.type,
        "question": text[0].upper() + text[1:],
        "answer_type": template.output,
        "table": _TABLES.get(template.select, "pois"),
        "answers": list(gold.answers),
        "entities": _entities(params, reference),
        "world_ok": True,
        "true_gold": True,
    }
    if gold.towards_azimuth is not None:
        record["towards_azimuth"] = gold.towards_azimuth
    anchor = reference.by_id.get(params.anchor)
    truth = {
        "id": number,
        "params": params.record(),
        "wording": chosen,
        "osm": list(gold.osm),
        "anchor_kind": _kind_of(anchor) if anchor else "",
    }
    return Made(record, truth)


def worded(wording: str, params: Params, reference: Reference) -> str:
    """A wording with its slots filled."""
    kind = kind_of(params)
    slots = {
        "kind": kind.one,
        "kinds": kind.many,
        "a_kind": kind.with_article,
        "distance": said_distance(params.radius_m),
        "direction": params.direction,
        "a": _anchor_words(params, reference),
        "b": reference.by_id[params.target].spoken if params.target else "",
        "region": reference.by_id[params.region].name if params.region else "",
    }
    return wording.format(**slots)


def kind_of(params: Params) -> Kind:
    """The words of the kind asked for."""
    if params.narrowed:
        every = narrow_kinds()
    else:
        group = {"areas": "area", "lines": "line"}.get(_TABLES.get(templates()[params.template].select, ""))
        every = kinds("area") if group == "area" else kinds("line") if group == "line" else kinds("poi")
    return next(kind for kind in every if (kind.tag, kind.narrowed) == (params.tag, params.narrowed))


def _wordings(template: Template, params: Params) -> tuple[str, ...]:
    if template.external != "answer":
        return template.wordings
    return next(fact.answer for fact in facts() if fact.key == params.fact)


def _anchor_words(params: Params, reference: Reference) -> str:
    if not params.anchor:
        return ""
    anchor = reference.by_id[params.anchor]
    if templates()[params.template].external != "anchor":
        return anchor.spoken
    fact = next(fact for fact in facts() if fact.key == params.fact)
    one = next(kind.one for kind in kinds("poi") if kind.anchor and _has(anchor, kind))
    return fact.anchor.format(kind=one, value=anchor.tags[params.fact])


def _entities(params: Params, reference: Reference) -> dict[str, dict[str, Any]]:
    """The filled slots, numbered as in GS-QA's files."""
    key, _, value = params.tag.partition("=")
    entities: list[dict[str, Any]] = [{"main_category": key, "sub_category": value}]
    if params.narrowed:
        entities[0]["poi_filter_desc"] = kind_of(params).one
        entities[0]["poi_filter_tag"] = params.narrowed
    if params.radius_m:
        entities.append({"distance": params.radius_m, "text": said_distance(params.radius_m)})
    entities += [
        _entity(reference.by_id[osm]) for osm in (params.anchor, params.target, params.region) if osm
    ]
    if params.direction:
        entities.append({"direction_desc": params.direction})
    return {f"[{number}]": entity for number, entity in enumerate(entities, 1)}


def _entity(thing: Thing) -> dict[str, Any]:
    lat, lon = thing.point
    return {"osm": thing.osm, "name": thing.name, "display_name": thing.spoken, "lon": lon, "lat": lat}


def _kind_of(thing: Thing) -> str:
    return next((kind.tag for kind in kinds("poi") if kind.anchor and _has(thing, kind)), "")


def _has(thing: Thing, kind: Kind) -> bool:
    key, _, value = kind.tag.partition("=")
    return thing.tags.get(key) == value

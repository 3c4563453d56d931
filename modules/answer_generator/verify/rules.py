"""The rules of claims: how each step of a derivation is recomputed from the evidence, apart from the solver.

A claim is `Claim(rule, inputs, arguments, result)`; `inputs` are evidence ids, "question" for what the
question states. Tolerances: metres ±1 or 0.1 %, seconds ±1. The rules and their arguments:

    lookup      {place, field}                     the value in that place ("services.wifi" is a path)
    travel      {origin, destination, mode, unit?} seconds (metres with unit "m") of a travel or routes fact
    distance    {a, b}                             straight line in metres
    bearing     {a, b}                             initial bearing in degrees
    sum         {values, unit}                     every value stated by the inputs or the question
    difference  {values: [a, b], unit}             a - b
    min, max    {values: {label: number}, unit, k} the label of the k-th
    count       {labels}                           how many
    filter      {condition, kept, dropped}         nothing both kept and dropped, all of it in the inputs
    open        {place, at}                        whether the place is open at that local time
    step        {route, after}                     an instruction of that route, the one after a street
    itinerary   {order, start_s, dwell, legs, ...} the finish in seconds after midnight
    option      {texts, reason}                    the index of the option judged right
"""

from collections.abc import Callable, Iterator, Mapping

from mapagent.answer import Claim
from modules.answer_generator.verify.facts import Facts
from modules.answer_generator.verify.objection import Objection
from modules.answer_generator.verify.rules_numbers import (
    check_count,
    check_difference,
    check_extreme,
    check_filter,
    check_itinerary,
    check_option,
    check_sum,
)
from modules.answer_generator.verify.rules_places import (
    check_bearing,
    check_distance,
    check_lookup,
    check_open,
    check_step,
    check_travel,
)

type Rule = Callable[[Claim, Facts], Iterator[str]]

RULES: Mapping[str, Rule] = {
    "lookup": check_lookup,
    "travel": check_travel,
    "distance": check_distance,
    "bearing": check_bearing,
    "sum": check_sum,
    "difference": check_difference,
    "min": check_extreme,
    "max": check_extreme,
    "count": check_count,
    "filter": check_filter,
    "open": check_open,
    "step": check_step,
    "itinerary": check_itinerary,
    "option": check_option,
}


def check_claim(claim: Claim, facts: Facts) -> Iterator[Objection]:
    """What is wrong with one claim."""
    rule = RULES.get(claim.rule)
    if rule is None:
        yield Objection(
            code="unknown_rule", message=f"unknown rule '{claim.rule}': the step cannot be recomputed."
        )
        return
    missing = facts.unknown(claim.inputs)
    if missing:
        yield Objection(
            code="no_such_evidence",
            message=f"The step '{claim.rule}' cites {', '.join(missing)}, which is not there.",
        )
        return
    try:
        problems = tuple(rule(claim, facts))
    except (KeyError, TypeError, ValueError) as error:
        problems = (f"The step '{claim.rule}' cannot be read ({type(error).__name__}: {error}).",)
    for problem in problems:
        yield Objection(code=claim.rule, message=problem)

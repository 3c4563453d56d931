"""The plan that answers a question over a spatial database."""

from mapagent.plan import Plan, Step
from modules.plans import solved_by
from modules.offline.spatial_intent import SpatialIntent

MODULE = "spatial_database"
CHECK = "Verify what came out against the evidence"


def spatial_plan(intent: SpatialIntent) -> Plan:
    """Ask the database, then verify and answer; the reading is part of the plan, so it can be edited."""
    ask = Step(
        id="database",
        subgoal=f"Work out the {_wanted(intent)} over all features of the map",
        module=MODULE,
        inputs={"intent": intent.model_dump(mode="json", exclude_defaults=True)},
    )
    return solved_by(ask, CHECK)


def _wanted(intent: SpatialIntent) -> str:
    """What is asked for, in a few words."""
    what = f" of {intent.what}" if intent.what else ""
    pick = f"{intent.pick} " if intent.pick != "any" else ""
    return f"{intent.ask}{what}" if not pick else f"{intent.ask} of the {pick}{intent.what}"

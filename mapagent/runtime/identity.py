"""What a run depends on, as digests and as settings that may be written down."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from mapagent.runtime.config import SECRETS, TABLES, Settings, masked

_NOT_RECORDED = ("data_home", "prompts", "max_usd", "contact", "processes", "machines", "regions_index")
"""Settings that say something about a machine, a person or a budget and nothing about an answer."""


def settings_record(settings: Settings) -> dict[str, Any]:
    """The settings as JSON, without what may be secret (keys, addresses, those of plug-ins) or local."""
    values = settings.model_dump(mode="json", exclude={*SECRETS, *_NOT_RECORDED})
    addresses = [name for name in values if name.endswith("base_url")]
    values |= {f"{name}_set": values.pop(name) is not None for name in addresses}
    for name in TABLES:
        # Not even the digest depends on what is secret, lest somebody tries passwords on it.
        told = {plugin: masked(plugin, own) for plugin, own in values[name].items()}
        values |= {name: sorted(told), f"{name}_sha256": digest([json.dumps(told, sort_keys=True).encode()])}
    return values


def digest(parts: Iterable[bytes]) -> str:
    """SHA-256 over all parts, one after the other."""
    hashed = hashlib.sha256()
    for part in parts:
        hashed.update(part)
    return hashed.hexdigest()

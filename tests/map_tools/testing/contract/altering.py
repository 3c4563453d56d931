"""Makes defective providers out of a good one: other declarations, other results, other calls."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from map_tools.providers.recorded import RecordedProvider
from tests.map_tools.testing.contract.world import Kit

type Maker = Callable[[], RecordedProvider]


def after(**changes: Callable[..., Any]) -> Maker:
    """A provider whose named calls change their results: `change(result, *args, **kwargs)`."""

    def wrap(call: str, change: Callable[..., Any]) -> Any:
        original = getattr(RecordedProvider, call)

        @wraps(original)
        async def changed(self: RecordedProvider, *args: Any, **kwargs: Any) -> Any:
            return change(await original(self, *args, **kwargs), *args, **kwargs)

        return changed

    return type("Defective", (Kit,), {call: wrap(call, change) for call, change in changes.items()})


def instead(**calls: Callable[..., Any]) -> Maker:
    """A provider whose named calls are others: `call(provider, original, *args, **kwargs)`, awaited."""

    def wrap(name: str, call: Callable[..., Any]) -> Any:
        original = getattr(RecordedProvider, name)

        @wraps(original)
        async def changed(self: RecordedProvider, *args: Any, **kwargs: Any) -> Any:
            async def usual(*own: Any, **more: Any) -> Any:
                return await original(self, *own, **more)

            return await call(self, usual, *args, **kwargs)

        return changed

    return type("Defective", (Kit,), {name: wrap(name, call) for name, call in calls.items()})


def declaring(*, terms: dict[str, Any] | None = None, **capabilities: Any) -> Maker:
    """A provider that declares other things."""

    def make() -> RecordedProvider:
        kit = Kit()
        declared = {
            name: value(getattr(kit.capabilities, name)) if callable(value) else value
            for name, value in capabilities.items()
        }
        kit.terms = kit.terms.model_copy(update=terms or {})
        kit.capabilities = kit.capabilities.model_copy(update=declared)
        return kit

    return make

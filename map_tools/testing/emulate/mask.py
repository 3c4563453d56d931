"""Field masks: which fields of a reply are wanted.

New services: https://developers.google.com/maps/documentation/places/web-service/choose-fields and
https://developers.google.com/maps/documentation/routes/choose_fields; the legacy `fields` parameter is the
same idea with "/" for ".".
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

type _Tree = dict[str, _Tree]
"""The wanted fields below each wanted field; empty: all of it."""


@dataclass(frozen=True, slots=True)
class FieldMask:
    """A set of paths. Nothing below a path that is given as a whole is left out.

    `everything`: the mask is "*".
    """

    tree: Mapping[str, _Tree]
    everything: bool = False

    @classmethod
    def of(cls, paths: Iterable[str], separator: str = ".") -> "FieldMask":
        """The mask of these paths ("places.displayName.text")."""
        tree: _Tree = {}
        everything = False
        for path in paths:
            if path == "*":
                everything = True
                continue
            _add(tree, path.split(separator))
        return cls(tree, everything)

    @property
    def top(self) -> frozenset[str]:
        """The first parts of all paths."""
        return frozenset(self.tree)

    def below(self, field: str) -> frozenset[str]:
        """The second parts of the paths that begin with a field; empty if the whole field is wanted."""
        return frozenset(self.tree.get(field, {}))

    def applied(self, value: Any) -> Any:
        """The value with the wanted fields alone; of lists, each element is treated alike."""
        return value if self.everything else _pruned(value, self.tree)


def _add(tree: _Tree, parts: list[str]) -> None:
    for index, part in enumerate(parts):
        known = tree.get(part)
        if known is not None and not known:  # the whole of it is wanted already
            return
        if index == len(parts) - 1:
            tree[part] = {}
            return
        tree = tree.setdefault(part, {})


def _pruned(value: Any, tree: Mapping[str, _Tree]) -> Any:
    if not tree:
        return value
    if isinstance(value, list):
        return [_pruned(item, tree) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: _pruned(item, tree[name]) for name, item in value.items() if name in tree}

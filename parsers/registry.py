"""All declared formats, and the anchors they scan for."""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
from dataclasses import dataclass
from functools import lru_cache

from logtui.parsers import formats as formats_package
from logtui.parsers.pattern import LineFormat, Pattern, Scope
from logtui.parsers.wrapping import WRAPPINGS


@dataclass(frozen=True)
class Registry:
    """Formats, patterns and anchors in a fixed order."""

    formats: tuple[LineFormat, ...]
    patterns: tuple[Pattern, ...]
    anchors: tuple[bytes, ...]
    """Distinct literals of all patterns."""
    users: tuple[tuple[int, ...], ...]
    """For each anchor the patterns that hold it, as indices."""
    digest: str
    """Changes when any declaration changes; keys every cache."""

    def pattern(self, name: str) -> Pattern:
        """A pattern by its public name. Raises KeyError."""
        for pattern in self.patterns:
            if pattern.name == name:
                return pattern
        raise KeyError(name)


def build(formats: tuple[LineFormat, ...]) -> Registry:
    """Number the patterns and anchors of some formats."""
    patterns = tuple(p for f in formats for p in f.patterns)
    users: dict[bytes, list[int]] = {}
    for i, pattern in enumerate(patterns):
        for anchor in pattern.anchors:
            users.setdefault(anchor.encode(), []).append(i)
    anchors = tuple(sorted(users))
    text = repr(WRAPPINGS) + "\n".join(
        repr((p.name, p.anchors, p.regex, p.bulk, p.numeric, p.follow)) for p in patterns
    )
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return Registry(formats, patterns, anchors, tuple(tuple(users[a]) for a in anchors), digest)


@lru_cache(maxsize=len(Scope))
def registry(scope: Scope = Scope.WORKERS) -> Registry:
    """Every format of a scope below `logtui.parsers.formats`, by module name whatever folder it lies in."""
    found = pkgutil.walk_packages(formats_package.__path__, f"{formats_package.__name__}.")
    names = sorted((m.name for m in found if not m.ispkg), key=lambda name: name.rsplit(".", 1)[-1])
    modules = [importlib.import_module(name) for name in names]
    formats = [m.FORMAT for m in modules if hasattr(m, "FORMAT")]
    return build(tuple(f for f in formats if f.scope is scope))

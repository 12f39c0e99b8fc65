"""All declared formats, and the anchors they scan for."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import lru_cache

from logtui.parsers import formats as formats_package
from logtui.parsers.pattern import LineFormat, Pattern


@dataclass(frozen=True)
class Registry:
    """Formats, patterns and anchors in a fixed order."""

    formats: tuple[LineFormat, ...]
    patterns: tuple[Pattern, ...]
    anchors: tuple[bytes, ...]
    """Distinct literals of all patterns."""
    users: tuple[tuple[int, ...], ...]
    """For each anchor the patterns that hold it, as indices."""

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
    return Registry(formats, patterns, anchors, tuple(tuple(users[a]) for a in anchors))


@lru_cache(maxsize=1)
def registry() -> Registry:
    """Every format below `logtui.parsers.formats`, by module name."""
    names = sorted(m.name for m in pkgutil.iter_modules(formats_package.__path__))
    modules = [importlib.import_module(f"{formats_package.__name__}.{n}") for n in names]
    return build(tuple(m.FORMAT for m in modules if hasattr(m, "FORMAT")))

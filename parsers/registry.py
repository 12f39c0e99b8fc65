"""All declared formats, and the anchors they scan for."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass, replace
from functools import lru_cache

from logtui.parsers import formats as formats_package
from logtui.parsers.pattern import LineFormat, Pattern, Scope
from logtui.parsers.places import formats_directory


@dataclass(frozen=True)
class Registry:
    """Formats, patterns and anchors in a fixed order."""

    formats: tuple[LineFormat, ...]
    patterns: tuple[Pattern, ...]
    anchors: tuple[bytes, ...]
    """Distinct literals of all patterns."""
    users: tuple[tuple[int, ...], ...]
    """For each anchor the patterns that hold it, as indices."""
    site: tuple[str, ...] = ()
    """Names of the formats that came from the user's configuration folder."""
    refused: tuple[tuple[str, str], ...] = ()
    """(file, why) of those that were left out."""

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


@lru_cache(maxsize=len(Scope))
def registry(scope: Scope = Scope.WORKERS) -> Registry:
    """Every format of a scope below `logtui.parsers.formats`, by module name whatever folder it lies in, then the
    site's own."""
    ours = _shipped()
    known = build(tuple(f for f in ours if f.scope is scope))
    folder = formats_directory()
    if not folder.is_dir():
        return known
    from logtui.parsers.site_formats import read_folder

    site = read_folder(folder, (name for f in ours for name in (f.name, *(p.name for p in f.patterns))))
    added = tuple(f for f in site.formats if f.scope is scope)
    return replace(build((*known.formats, *added)), site=tuple(f.name for f in site.formats), refused=site.refused)


@lru_cache(maxsize=1)
def _shipped() -> tuple[LineFormat, ...]:
    found = pkgutil.walk_packages(formats_package.__path__, f"{formats_package.__name__}.")
    names = sorted((m.name for m in found if not m.ispkg), key=lambda name: name.rsplit(".", 1)[-1])
    modules = [importlib.import_module(name) for name in names]
    return tuple(m.FORMAT for m in modules if hasattr(m, "FORMAT"))

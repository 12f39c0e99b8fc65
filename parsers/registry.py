"""All declared formats, and the anchors they scan for."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass, replace
from functools import lru_cache

from logtui.parsers import formats as formats_package
from logtui.parsers.pattern import LineFormat, Pattern
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


@lru_cache(maxsize=1)
def registry() -> Registry:
    """Every format below `logtui.parsers.formats`, by module name, then the site's own."""
    names = sorted(m.name for m in pkgutil.iter_modules(formats_package.__path__))
    modules = [importlib.import_module(f"{formats_package.__name__}.{n}") for n in names]
    ours = tuple(m.FORMAT for m in modules if hasattr(m, "FORMAT"))
    folder = formats_directory()
    if not folder.is_dir():
        return build(ours)
    from logtui.parsers.site_formats import read_folder

    site = read_folder(folder, (name for f in ours for name in (f.name, *(p.name for p in f.patterns))))
    return replace(build((*ours, *site.formats)), site=tuple(f.name for f in site.formats), refused=site.refused)

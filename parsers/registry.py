"""All declared formats, and the anchors they scan for."""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache

from logtui.parsers import formats as formats_package
from logtui.parsers.pattern import Kind, LineFormat, Mark, Pattern, Program, Source, Trait
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

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """Who writes the lines, format by format."""
        return tuple(program for one in self.formats for program in one.programs)

    def marked(self, mark: Mark) -> frozenset[str]:
        """Names of the patterns that have a mark."""
        return self._by_mark[mark]

    @cached_property
    def _by_mark(self) -> dict[Mark, frozenset[str]]:
        return {mark: frozenset(p.name for p in self.patterns if mark in p.marks) for mark in Mark}

    def areas_with(self, trait: Trait) -> frozenset[str]:
        """Areas of the programs that have a trait."""
        return self._by_trait[trait]

    @cached_property
    def _by_trait(self) -> dict[Trait, frozenset[str]]:
        return {trait: frozenset(a for p in self.programs if trait in p.traits for a in p.areas) for trait in Trait}

    def title_of(self, kind: Kind, areas: Collection[str]) -> str | None:
        """The name of the outermost program of a kind of which lines were seen; None where there is none."""
        seen = (p for p in self.programs if p.kind is kind and any(area in areas for area in p.areas))
        outermost = max(seen, key=lambda p: p.outer, default=None)
        return outermost.title if outermost is not None else None

    def source_of(self, area: str) -> Source:
        """Who speaks in lines of an area."""
        return self._sources.get(area, Source.WORKER)

    @cached_property
    def _sources(self) -> dict[str, Source]:
        return {a: p.source for p in self.programs if p.source is not Source.WORKER for a in p.areas}


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


@lru_cache(maxsize=1)
def registry() -> Registry:
    """Every format below `logtui.parsers.formats`, by module name."""
    names = sorted(m.name for m in pkgutil.iter_modules(formats_package.__path__))
    modules = [importlib.import_module(f"{formats_package.__name__}.{n}") for n in names]
    return build(tuple(m.FORMAT for m in modules if hasattr(m, "FORMAT")))

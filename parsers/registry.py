"""All declared formats, and the anchors they scan for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from logtui.parsers import formats as formats_package
from logtui.parsers.declarations import declarations
from logtui.parsers.directories import formats_directory
from logtui.parsers.pattern import Kind, LineFormat, Mark, Pattern, Program, Scope, Source, Trait


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
    return Registry(formats, patterns, anchors, tuple(tuple(users[a]) for a in anchors))


@lru_cache(maxsize=len(Scope))
def registry(scope: Scope = Scope.WORKERS) -> Registry:
    """Every format of a scope below `logtui.parsers.formats`, by module name whatever folder it lies in, then the
    site's own."""
    ours: tuple[LineFormat, ...] = tuple(declarations(formats_package, "FORMAT"))
    known = build(tuple(f for f in ours if f.scope is scope))
    folder = formats_directory()
    if not folder.is_dir():
        return known
    from logtui.parsers.site_formats import read_folder

    site = read_folder(folder, (name for f in ours for name in (f.name, *(p.name for p in f.patterns))))
    added = tuple(f for f in site.formats if f.scope is scope)
    return replace(build((*known.formats, *added)), site=tuple(f.name for f in site.formats), refused=site.refused)

"""What declared log formats know in a line: where each matches, and the fields it reads."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logtui.parsers.pattern import Pattern

LOOKED_AT_CHARS = 600
"""As much of a line as is picked out."""

FIELD_CHARS = 48
"""A longer field is a text, and is not picked out."""

Span = tuple[int, int, str]
"""Start, end, and the name of a style."""


@lru_cache(maxsize=1)
def _heads() -> dict[str, tuple[tuple[str, Pattern], ...]]:
    """Anchors with their patterns, by the characters that all anchors have at least."""
    from logtui.parsers.pattern import MIN_ANCHOR_BYTES
    from logtui.parsers.registry import registry

    heads: dict[str, list[tuple[str, Pattern]]] = {}
    for pattern in registry().patterns:
        for anchor in pattern.anchors:
            heads.setdefault(anchor[:MIN_ANCHOR_BYTES], []).append((anchor, pattern))
    return {head: tuple(users) for head, users in heads.items()}


def are_loaded() -> bool:
    """Whether the formats are there; the first time that takes several frames."""
    return _heads.cache_info().currsize > 0


def load() -> None:
    """Have the formats there. On any thread."""
    _heads()


def _matching(text: str) -> Iterator[Pattern]:
    from logtui.parsers.pattern import MIN_ANCHOR_BYTES

    heads, seen = _heads(), set()
    for at in range(len(text) - MIN_ANCHOR_BYTES + 1):
        for anchor, pattern in heads.get(text[at : at + MIN_ANCHOR_BYTES], ()):
            if pattern.name not in seen and text.startswith(anchor, at):
                seen.add(pattern.name)
                yield pattern


@lru_cache(maxsize=2048)
def format_spans(text: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """(whole matches named by their role, fields) of a line, each ascending and without overlaps."""
    head = text[:LOOKED_AT_CHARS]
    matches: list[Span] = []
    fields: list[Span] = []
    for pattern in _matching(head):
        match = pattern.compiled.search(head)
        if match is None:
            continue
        matches.append((*match.span(), f"role-{pattern.role.value}"))
        spans = (match.span(group) for group in match.groupdict())
        fields += [(start, end, "field") for start, end in spans if 0 <= start < end <= start + FIELD_CHARS]
    return _apart(matches), _apart(fields)


def _apart(spans: list[Span]) -> tuple[Span, ...]:
    """The spans in order; of those that overlap, the one that begins first, the shorter one of two that begin there."""
    kept: list[Span] = []
    for span in sorted(spans):
        if span[1] > span[0] and (not kept or span[0] >= kept[-1][1]):
            kept.append(span)
    return tuple(kept)

"""SLURM host lists: `rack[1-2]n[01-03,07],login1` to host names in node-index order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product

CAP = 65_536
"""Names ever returned: four times the largest job, so that a damaged range cannot fill the memory."""
MAX_DIMENSIONS = 8
"""Brackets in one element; SLURM itself stops at five."""

_BRACKET = re.compile(r"\[([^\[\]]*)\]")
_RANGE = re.compile(r"(\d{1,18})(?:-(\d{1,18}))?")


def expand(hostlist: str, cap: int = CAP) -> list[str]:
    """Names of all hosts in a list, in the order of the list, at most `cap`.

    Zero padding is kept (`node001` is not `node1`). What cannot be expanded (an open bracket of a line that was
    cut, a range that runs backwards) is returned as it stands.
    """
    names = (name for element in _elements(hostlist) for name in _names(element, cap))
    return list(islice(names, cap))


def _elements(text: str) -> Iterator[str]:
    """Split at the commas that stand outside brackets."""
    depth, start = 0, 0
    for at, char in enumerate(text):
        if char == "," and depth == 0:
            yield from filter(None, [text[start:at].strip()])
            start = at + 1
        else:
            depth = max(0, depth + (char == "[") - (char == "]"))
    yield from filter(None, [text[start:].strip()])


def _names(element: str, cap: int) -> Iterator[str]:
    """`a[1-2]b` → `a1b`, `a2b`; the last bracket varies fastest."""
    pieces = _BRACKET.split(element)
    if not 1 < len(pieces) <= 2 * MAX_DIMENSIONS + 1:
        yield element
        return
    # split() alternates literal text and bracket contents
    choices = [list(islice(_indices(p), cap)) if i % 2 else [p] for i, p in enumerate(pieces)]
    for chosen in product(*choices):
        yield "".join(chosen)


def _indices(ranges: str) -> Iterator[str]:
    for item in ranges.split(","):
        m = _RANGE.fullmatch(item.strip())
        if m is None or (m[2] and int(m[2]) < int(m[1])):
            yield item
            continue
        width = len(m[1])
        for index in range(int(m[1]), int(m[2] or m[1]) + 1):
            yield f"{index:0{width}d}"

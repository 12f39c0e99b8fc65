"""A log read line by line, and as columns wherever two of its lines are alike: all that a scan says, either way."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from logtui.parsers.files.discover import discover
from logtui.parsers.records.columns import wide
from logtui.parsers.scan import blocks, clocks, dense, scanner
from logtui.parsers.scan.layouts import Layouts
from logtui.parsers.scan.task import scanner as make_scanner

WRITTEN = 1_770_000_000
Scan = tuple[object, ...]


def write(path: Path, data: bytes) -> Path:
    """A file, as if written at the same time each time."""
    path.write_bytes(data)
    os.utime(path, (WRITTEN, WRITTEN))
    return path


def line_by_line(path: Path) -> list[Scan]:
    """What is said without columns."""
    return _scans(path, many_hits=1 << 40)


def by_columns(path: Path) -> list[Scan]:
    """What is said with columns even where they do not pay."""
    return _scans(path, many_hits=1)


def by_layouts(path: Path) -> list[Scan]:
    """What is said where each text is read by the layout of one before, and no columns."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(scanner, "MANY_HITS", 1)
        patched.setattr(scanner, "DENSE", 1 << 40)
        patched.setattr(dense, "LEAST", 1 << 40)
        mine = make_scanner("auto")
        patched.setattr(mine, "_layouts", Layouts(mine._matchers, mine._shapes))
        return scans(path)


def scans(path: Path) -> list[Scan]:
    """All that a scan says, part by part."""
    said: list[Scan] = []
    for part in make_scanner("auto").scan(discover([path]).files[0]):
        rows = wide(part.rows)
        places = zip(rows["text"].tolist(), rows["text_length"].tolist(), strict=True)
        texts = [part.blob[at : at + size] for at, size in places]
        said.append((rows.tobytes(), texts, part.hosts, part.counts, part.lines, part.matched_lines))
    return said


def _scans(path: Path, many_hits: int) -> list[Scan]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(scanner, "MANY_HITS", many_hits)
        patched.setattr(scanner, "DENSE", 1 << 40)
        patched.setattr(dense, "LEAST", 2)
        patched.setattr(dense, "FEWEST", 1)
        return scans(path)


@contextmanager
def blocks_of(size: int, context: int) -> Iterator[None]:
    """Read blocks of so many bytes, with so many before each."""
    make_scanner("auto")  # its buffer is as large as ever
    with pytest.MonkeyPatch.context() as patched:
        for name, value in {"LONG_LINE": size, "CONTEXT": context, "FULL": context + size, "STRADDLE": 16}.items():
            patched.setattr(blocks, name, value)
        patched.setattr(clocks, "CONTEXT", context)
        yield

"""Write the files of a job and remember on which line each mark came to stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import BinaryIO

from logtui.parsers.generator.event import Event
from logtui.parsers.generator.layout import Line, Router, by_file, lines
from logtui.parsers.generator.padding import Padding
from logtui.parsers.generator.stage import Stage
from logtui.parsers.generator.truth import Place


@dataclass
class Written:
    """What is on disk."""

    files: list[str] = field(default_factory=list)
    bytes: int = 0
    places: dict[str, Place] = field(default_factory=dict)


def write_files(stage: Stage, directory: Path) -> Written:
    """Write all files below a directory, which may exist already."""
    router = Router(stage.world)
    files = by_file(stage.told(), router)
    written = Written()
    rng = Random(f"layout {stage.spec.seed}")
    padding = Padding(stage, files)
    for name in sorted(files):
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as out:
            _File(name, out, written).write(files[name], router, rng, padding)
        written.files.append(name)
    return written


class _File:
    """One file being written."""

    def __init__(self, name: str, out: BinaryIO, written: Written) -> None:
        self.name, self.out, self.written = name, out, written
        self.line = 1

    def write(self, events: list[Event], router: Router, rng: Random, padding: Padding) -> None:
        noise = router.spec.noise
        for batch, pad in padding.between(self.name, events):
            if pad:
                self._raw(pad)
            self._lines(lines(batch, router, rng, noise))

    def _raw(self, pad: bytes) -> None:
        self.out.write(pad)
        self.line += pad.count(b"\n")
        self.written.bytes += len(pad)

    def _lines(self, rows: Iterable[Line]) -> None:
        buffer: list[str] = []
        for row in rows:
            buffer.append(row.text if row.glue else row.text + "\n")
            for mark in row.marks:
                self.written.places.setdefault(mark, Place(self.name, self.line, row.body))
            self.line += 0 if row.glue else 1
        data = "".join(buffer).encode()
        self.out.write(data)
        self.written.bytes += len(data)

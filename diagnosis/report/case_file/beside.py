"""What a case file holds beside report and lines: dumps, storage daemons, odd lines, each of bounded size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from logtui.diagnosis.dumps.analyse import analyse
from logtui.diagnosis.dumps.findings import FlightRecorderFindings
from logtui.diagnosis.model.analyses import OddLines
from logtui.diagnosis.report.codec import NotThatShape, decode, plain
from logtui.diagnosis.storage.daemon_view import DaemonView, LoggedDaemons, SavedDaemons
from logtui.parsers.dumps.dump import Dump, DumpSet
from logtui.parsers.dumps.reading import DumpReader
from logtui.parsers.dumps.writing import to_json
from logtui.parsers.errors import DumpRefused
from logtui.parsers.files.case import Case

ODD, DAEMONS, DUMPS = "odd.json", "daemons.json", "dumps.json"
MOST_ENTRIES, MOST_STACKS = 100_000, 8_000
"""Of all dumps together; each keeps a few of its own whatever their number."""
ENTRIES, STACKS = (8, 2_000), (1, 64)
"""Least and most of one dump."""

Members = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Beside:
    """What views show beside the report; None where there is nothing of the kind."""

    odd: OddLines | None = None
    daemons: DaemonView | None = None
    dumps: FlightRecorderFindings | None = None


@dataclass(frozen=True, slots=True)
class _Listed:
    """A dump, whose content is a member of its own."""

    rank: int
    told_by: str
    file: str


@dataclass(frozen=True, slots=True)
class _Dumps:
    dumps: tuple[_Listed, ...]
    refused: tuple[tuple[str, str], ...]


def dump_name(rank: int) -> str:
    """The member with the dump of a rank."""
    return f"dumps/{rank}.json"


def bounded(beside: Beside) -> Beside:
    """The same with no more of the daemons than a case file keeps; reads megabytes."""
    daemons = beside.daemons.saved() if isinstance(beside.daemons, LoggedDaemons) else beside.daemons
    return Beside(beside.odd, daemons, beside.dumps)


def places(case: Case, kept: Beside) -> Iterator[tuple[str, int]]:
    """The lines that the daemons' view leads to."""
    if isinstance(kept.daemons, SavedDaemons):
        yield from ((case.files[file].name, line) for file, line in kept.daemons.places)


def members(kept: Beside) -> dict[str, Any]:
    """As plain values, by member."""
    values: dict[str, Any] = {}
    if kept.odd is not None:
        values[ODD] = plain(kept.odd)
    if kept.daemons is not None:
        values[DAEMONS] = plain(kept.daemons)
    if kept.dumps is not None:
        values |= dict(_dumps(kept.dumps.joined.dumps))
    return values


def _dumps(found: DumpSet) -> Iterator[tuple[str, Any]]:
    count = max(len(found.dumps), 1)
    entries = max(ENTRIES[0], min(ENTRIES[1], MOST_ENTRIES // count))
    stacks = max(STACKS[0], min(STACKS[1], MOST_STACKS // count))
    listed = tuple(_Listed(dump.rank, dump.rank_from, dump.file) for dump in found.dumps)
    yield DUMPS, plain(_Dumps(listed, found.refused))
    for dump in found.dumps:
        yield dump_name(dump.rank), msgspec.json.decode(to_json(dump, entries, stacks))


def read_beside(members: Members, files: int) -> Beside:
    """What an opened case file of so many files holds of it.

    Raises:
        NotThatShape: if something does not fit.
    """
    odd = decode(OddLines, members[ODD]) if ODD in members else None
    daemons = _read_daemons(members[DAEMONS], files) if DAEMONS in members else None
    dumps = _read_dumps(members) if DUMPS in members else None
    return Beside(odd, daemons, dumps)


def _read_daemons(data: bytes, files: int) -> SavedDaemons:
    daemons = decode(SavedDaemons, data)
    rows, panels = daemons.picker.rows, daemons.panels
    fitting = len(rows) == len(panels) == len(daemons.said) and daemons.picker.start <= daemons.picker.end
    if not fitting or any(row.daemon != panel.daemon for row, panel in zip(rows, panels, strict=True)):
        raise NotThatShape("daemons that do not fit their files")
    if any(not 0 <= file < files for file, _ in daemons.places):
        raise NotThatShape("daemons that name files which are not there")
    return daemons


def _read_dumps(members: Members) -> FlightRecorderFindings:
    listed, reader = decode(_Dumps, members[DUMPS]), DumpReader()
    found: list[Dump] = []
    refused = list(listed.refused)
    for entry in listed.dumps:
        try:
            dump = reader.decode(members.get(dump_name(entry.rank), b""), entry.file)
            found.append(dump.of_rank(entry.rank, entry.told_by))
        except DumpRefused as error:
            refused.append((entry.file, str(error)))
    return analyse(DumpSet.of(found, refused))

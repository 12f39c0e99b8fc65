"""What the declared patterns read from a line, and records from text: for tests of formats."""

from __future__ import annotations

from pathlib import Path

from logtui.parsers.files.discover import discover
from logtui.parsers.records.record import RecordTable
from logtui.parsers.registry import registry
from logtui.parsers.scan.sweep import Sweep


def matched(text: str) -> dict[str, dict[str, str]]:
    """Every pattern that matches a line, as the scanner decides it: an anchor, then the regex. Name → fields."""
    found = {}
    for pattern in registry().patterns:
        if any(anchor in text for anchor in pattern.anchors) and (m := pattern.compiled.search(text)):
            found[pattern.name] = {k: v for k, v in m.groupdict().items() if v is not None}
    return found


def names(text: str, *areas: str) -> set[str]:
    """Names of the patterns that match a line, of some areas only."""
    return {name for name in matched(text) if name.split(".", 1)[0] in areas}


def records_of(path: Path, text: str) -> RecordTable:
    """The records of a file with this text."""
    path.write_text(text)
    sweep = Sweep(discover([path]))
    for _ in sweep.run():
        pass
    return sweep.case().records

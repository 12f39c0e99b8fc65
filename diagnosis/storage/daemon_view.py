"""The storage daemons as a screen asks about them: from their logs, or from what a case file kept of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from logtui.diagnosis.storage.findings import StorageFindings
from logtui.diagnosis.storage.panels import Gauge, Panel, Picker, Step, line_at, panel, picker, shown_span
from logtui.diagnosis.storage.suspects import Link
from logtui.parsers.daemons.reread import DiskLoad

Span = tuple[float, float]
"""First and last time, by the workers' clock."""
MOST_STEPS = 60_000
"""Kept of all counters and disks of all daemons."""
FINEST = 240
"""Steps of one counter: columns of a wide terminal."""
COARSEST = 12
MOST_MESSAGES = 200
"""Kept of one daemon: those nearest to the failure."""
ROWS = 40
"""Counters and disks that a daemon shows, about."""


class DaemonView(Protocol):
    """All daemons of a case. Times are the workers' clock; daemons are numbered as the rows of the picker are."""

    @property
    def offset_s(self) -> float | None:
        """Seconds to add to a daemon's time to get the workers'; None where the logs do not tell."""

    @property
    def shift(self) -> float:
        """The same, 0 where it is not known."""

    @property
    def window(self) -> Span:
        """The failure."""

    @property
    def span(self) -> Span:
        """The time that counters are shown of."""

    @property
    def blamed(self) -> tuple[str, ...]:
        """Labels of the daemons that the verdict names."""

    @property
    def labels(self) -> frozenset[str]:
        """Of all daemons."""

    @property
    def files(self) -> Mapping[int, str]:
        """Names of their files by index in the case."""

    @property
    def links(self) -> tuple[Link, ...]:
        """Lines of clients with those of the daemons that belong to them."""

    @property
    def picker(self) -> Picker | None:
        """Every file of every daemon; None where nothing is dated."""

    def line_at(self, daemon: int, time: float) -> tuple[int, int] | None:
        """(file, line) of the daemon's record at a time, or near it. May read files."""

    def panel(self, daemon: int, start: float, end: float) -> Panel:
        """Counters and disks of a daemon over a time. May read files."""


@dataclass(frozen=True)
class LoggedDaemons:
    """Daemons whose logs are there."""

    found: StorageFindings

    @property
    def offset_s(self) -> float | None:
        """As the clocks were aligned."""
        return self.found.clock.offset_s

    @property
    def shift(self) -> float:
        """As the clocks were aligned."""
        return self.found.clock.shift

    @property
    def window(self) -> Span:
        """Derived from the job."""
        return self.found.window.start + self.shift, self.found.window.end + self.shift

    @property
    def span(self) -> Span:
        """The failure, with the time that it is compared with."""
        return shown_span(self.found)

    @property
    def blamed(self) -> tuple[str, ...]:
        """By the verdict about storage."""
        return self.found.judgement.blamed

    @cached_property
    def labels(self) -> frozenset[str]:
        """Of all daemons."""
        return frozenset(daemon.label for daemon in self.found.logs.daemons)

    @cached_property
    def files(self) -> Mapping[int, str]:
        """Of all daemons."""
        logs = self.found.logs
        return {f.file: logs.files[f.file].name for daemon in logs.daemons for f in daemon.files}

    @property
    def links(self) -> tuple[Link, ...]:
        """As found in the logs of both sides."""
        return self.found.links

    @cached_property
    def picker(self) -> Picker | None:
        """Laid out once."""
        return picker(self.found.logs, self.shift, self.window)

    def line_at(self, daemon: int, time: float) -> tuple[int, int] | None:
        """Reads the daemon's files round that time."""
        return line_at(self.found.logs, daemon, time, self.shift)

    def panel(self, daemon: int, start: float, end: float) -> Panel:
        """Reads megabytes."""
        return panel(self.found, daemon, start, end)

    def saved(self) -> SavedDaemons | None:
        """What a case file keeps of it: bounded in size; None where nothing is dated. Reads megabytes."""
        laid = self.picker
        if laid is None:
            return None
        most = max(COARSEST, min(FINEST, MOST_STEPS // max(len(laid.rows) * ROWS, 1)))
        panels = tuple(thinned(self.panel(row.daemon, *self.span), most) for row in laid.rows)
        return SavedDaemons(
            self.offset_s, self.shift, self.window, self.span, tuple(self.blamed), self.links, laid, panels,
            tuple(self._told(row.daemon) for row in laid.rows),
        )  # fmt: skip

    def _told(self, daemon: int) -> tuple[tuple[float, int, int], ...]:
        """(time, file, line) of the messages nearest to the failure."""
        start, end = self.window
        said = [
            (m.time + self.shift, m.file, m.line)
            for m in self.found.logs.messages
            if m.daemon == daemon and m.time is not None
        ]
        return tuple(sorted(sorted(said, key=lambda m: max(start - m[0], m[0] - end, 0.0))[:MOST_MESSAGES]))


@dataclass(frozen=True)
class SavedDaemons:
    """Daemons whose logs are not there."""

    offset_s: float | None
    shift: float
    window: Span
    span: Span
    blamed: tuple[str, ...]
    links: tuple[Link, ...]
    picker: Picker
    panels: tuple[Panel, ...]
    """One of each row of the picker."""
    said: tuple[tuple[tuple[float, int, int], ...], ...]
    """(time, file, line) of records of each row, ascending."""

    @cached_property
    def labels(self) -> frozenset[str]:
        """Of all daemons."""
        return frozenset(row.label for row in self.picker.rows)

    @cached_property
    def files(self) -> Mapping[int, str]:
        """Of all daemons."""
        return {bar.file: bar.name for row in self.picker.rows for bar in row.bars}

    @cached_property
    def _rows(self) -> Mapping[int, int]:
        return {row.daemon: n for n, row in enumerate(self.picker.rows)}

    def line_at(self, daemon: int, time: float) -> tuple[int, int] | None:
        """The last line that was kept before that time, else the first one after it."""
        known = self._lines.get(daemon, ())
        at = bisect_right(known, (time, 1 << 62, 0)) - 1
        return known[max(at, 0)][1:] if known else None

    @cached_property
    def _lines(self) -> Mapping[int, tuple[tuple[float, int, int], ...]]:
        """(time, file, line) of all that was kept, by daemon."""
        return {
            row.daemon: tuple(sorted({*self.said[n], *_lines(self.panels[n])}))
            for n, row in enumerate(self.picker.rows)
            if n < len(self.panels) and n < len(self.said)
        }

    @property
    def places(self) -> Iterator[tuple[int, int]]:
        """(file, line) of all that was kept."""
        for lines in self._lines.values():
            yield from ((file, line) for _, file, line in lines)
        yield from ((bar.file, bar.line) for row in self.picker.rows for bar in row.bars)

    def panel(self, daemon: int, start: float, end: float) -> Panel:
        """What was kept, whatever time is asked for."""
        return replace(self.panels[self._rows[daemon]], start=start, end=end)


def _lines(panel: Panel) -> Iterator[tuple[float, int, int]]:
    for gauge in panel.gauges:
        yield from ((step.end, step.file, step.line) for step in gauge.steps)
    for _, loads in panel.disks:
        yield from ((load.time, load.file, load.line) for load in loads)


def thinned(panel: Panel, most: int) -> Panel:
    """A panel with no more than so many steps of any counter, and of any disk."""
    return replace(
        panel,
        gauges=tuple(replace(gauge, steps=_joined(gauge, most)) for gauge in panel.gauges),
        disks=tuple((name, _busiest(loads, most)) for name, loads in panel.disks),
    )


def _joined(gauge: Gauge, most: int) -> tuple[Step, ...]:
    """Neighbouring steps as one; across a silence none are joined."""
    size = -(-len(gauge.steps) // most)
    out: list[Step] = []
    run = 0
    for step in gauge.steps:
        if out and run < size and not step.idle and not out[-1].idle:
            out[-1] = replace(step, start=out[-1].start, growth=out[-1].growth + step.growth)
            run += 1
        else:
            out.append(step)
            run = 1
    return tuple(out)


def _busiest(loads: tuple[DiskLoad, ...], most: int) -> tuple[DiskLoad, ...]:
    """Of some neighbouring loads the highest."""
    size = max(-(-len(loads) // most), 1)
    groups = (loads[at : at + size] for at in range(0, len(loads), size))
    return tuple(replace(max(group, key=lambda load: load.busy), text="") for group in groups)

"""Daemons and their files: who wrote what, from when to when, what is missing between, and what was recognised.

One scan per file, then dates, nodes, duplicates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from logtui.parsers.daemons.grammar import Opening
from logtui.parsers.daemons.recognise import DaemonName, folder, read_daemon_name, single_download
from logtui.parsers.daemons.scan import scan_all
from logtui.parsers.daemons.scanned import FileScan, date_parts
from logtui.parsers.daemons.skew import clocks_ahead
from logtui.parsers.daemons.unknown import UnknownRecords
from logtui.parsers.pattern import Pattern, Scope
from logtui.parsers.registry import registry
from logtui.parsers.source import AIS_KINDS, FileKind, LogFile, Unread

MARKER_SPACING_S = 3670.0
"""Hourly markers come at least this often while a daemon runs; a longer silence between files is a missing file."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file, or one run inside a concatenated file. Times are wall clock taken as UTC, None where undated."""

    index: int
    """Position in the file's scan."""
    opening: Opening
    line: int
    """The header's line; the first line where there is none."""
    host: str
    start: float | None
    end: float | None
    start_from: str
    """`header`, `marker`, `name`, `mtime`: what dated the start."""
    end_from: str
    """`next header`, `last record`, `mtime`."""
    records: int
    clean_end: bool
    """The daemon said that it terminated."""


@dataclass(frozen=True)
class DaemonFile:
    """One log of one daemon."""

    file: int
    """Index in the case."""
    name: str
    level: str
    """`INFO` has every record, `ERROR` only warnings and errors, once more."""
    parts: tuple[Part, ...]
    scan: FileScan = field(repr=False)
    duplicate_of: str = ""
    """Another file with the same content, which is used instead."""

    @property
    def start(self) -> float | None:
        """When its first part begins."""
        return self.parts[0].start if self.parts else None

    @property
    def end(self) -> float | None:
        """When its last part ends."""
        return self.parts[-1].end if self.parts else None

    def covers(self, start: float, end: float) -> bool:
        """Whether any of its records may fall into a time span."""
        return self.start is not None and self.end is not None and self.start <= end and self.end >= start


@dataclass(frozen=True, slots=True)
class Restart:
    """A new process of a daemon that had run before."""

    time: float
    file: str
    line: int
    stopped: float | None
    """When the previous process said its last word."""
    clean: bool
    """Whether it had said that it terminated."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A time for which a daemon has no log. An open end is None."""

    start: float | None
    end: float | None
    why: str
    """`rotated away`, `not collected`, `down`."""


@dataclass(frozen=True)
class Daemon:
    """One target or proxy."""

    index: int
    role: str
    """`target` or `proxy`."""
    id: str
    """Node ID; "" where no file says it."""
    host: str
    """Shortened host name."""
    version: str
    files: tuple[DaemonFile, ...]
    """By start; duplicates last."""
    zones: tuple[tuple[str, str, int, str], ...] = ()
    """(abbreviation, file, line, record) of the hourly markers where the abbreviation changes."""
    ahead_s: float = 0.0
    """How far its clock is ahead of the other daemons'; already taken off all its times."""

    @property
    def label(self) -> str:
        """As its own messages name it: `t[QvTbWmKe]`."""
        return f"{self.role[:1]}[{self.id or (self.host + '?')}]"

    @property
    def used(self) -> tuple[DaemonFile, ...]:
        """Files that are not duplicates of others."""
        return tuple(f for f in self.files if not f.duplicate_of)

    @property
    def main(self) -> tuple[DaemonFile, ...]:
        """The files that carry every record: INFO, or ERROR where no INFO file was given."""
        full = tuple(f for f in self.used if f.level == "INFO")
        return full or self.used

    def restarts(self) -> tuple[Restart, ...]:
        """Every new process after the first, in order."""
        found: list[Restart] = []
        before: Part | None = None
        for file, part in self._runs():
            if part.opening is Opening.STARTED and before is not None and part.start is not None:
                found.append(Restart(part.start, file.name, part.line, before.end, before.clean_end))
            before = part
        return tuple(found)

    def gaps(self) -> tuple[Gap, ...]:
        """What is missing: history before the first file, files between files, time without a process."""
        found: list[Gap] = []
        before: Part | None = None
        for file, part in self._runs():
            if before is None:
                if single_download(file.name):
                    found.append(Gap(None, part.start, "not collected"))
                elif part.opening is not Opening.STARTED:
                    found.append(Gap(None, part.start, "rotated away"))
            elif gap := _between(before, part):
                found.append(gap)
            before = part
        return tuple(found)

    def _runs(self) -> list[tuple[DaemonFile, Part]]:
        return [(f, p) for f in self.main for p in f.parts if p.start is not None]


def _between(before: Part, after: Part) -> Gap | None:
    if before.end is None or after.start is None or after.start <= before.end:
        return None
    silence = after.start - before.end
    if after.opening is Opening.STARTED:
        unsure = not before.clean_end and silence > MARKER_SPACING_S
        return Gap(before.end, after.start, "not collected" if unsure else "down")
    return Gap(before.end, after.start, "not collected") if silence > MARKER_SPACING_S else None


@dataclass(frozen=True, slots=True)
class Message:
    """A record that a pattern recognised."""

    time: float | None
    """Wall clock of the daemon, taken as UTC."""
    daemon: int
    file: int
    line: int
    pattern: Pattern
    letter: str
    """Severity of the record: I, W, E; how bad the message is, its pattern says."""
    head: str
    """Severity, time and source, as they stand before the message."""
    text: str
    """The message, cleaned."""

    @property
    def name(self) -> str:
        """Name of the pattern, `area.what`."""
        return self.pattern.name

    @property
    def record(self) -> str:
        """The record as it stands in the file."""
        return self.head + self.text

    @property
    def fields(self) -> dict[str, str]:
        """Named groups of the pattern's regex."""
        m = self.pattern.compiled.search(self.text)
        return {k: v for k, v in m.groupdict().items() if v is not None} if m else {}


@dataclass(frozen=True, slots=True)
class Unknown:
    """Records of one template that no pattern reads, of one file."""

    daemon: int
    file: int
    line: int
    """Of the first."""
    letter: str
    """`W` or `E`."""
    template: str
    text: str
    """The first record."""
    count: int
    times: tuple[float, ...]
    """Of the first few hundred, by the daemon's clock."""

    def within(self, start: float, end: float) -> int:
        """How many of them fall into a span."""
        return sum(start <= t <= end for t in self.times)


@dataclass(frozen=True)
class AisLogs:
    """All daemons of a case."""

    daemons: tuple[Daemon, ...]
    messages: tuple[Message, ...]
    """Recognised records of all daemons by time, undated ones first; each once, though ERROR files repeat it."""
    counts: dict[tuple[int, str], int]
    """(daemon, pattern) → exact number of records, kept or not."""
    unread: tuple[Unread, ...]
    files: dict[int, LogFile]
    bytes: int
    lines: int
    unknown: tuple[Unknown, ...] = ()
    """Warnings and errors that no pattern reads, errors first, the most frequent first."""

    def file_name(self, message: Message) -> str:
        """The message's file as people see it."""
        return self.files[message.file].name

    def named(self, node: str) -> Daemon | None:
        """The daemon with this node ID, given bare or as `t[ID]`."""
        bare = node[2:-1] if node[1:2] == "[" and node.endswith("]") else node
        return next((d for d in self.daemons if d.id == bare), None)


@dataclass(frozen=True, slots=True)
class _Scanned:
    """A file with what its name, its title and its scan say."""

    file: LogFile
    scan: FileScan
    name: DaemonName
    role: str
    node: str
    host: str


def ingest(
    files: Iterable[LogFile],
    engine: str = "auto",
    cancelled: Callable[[], bool] = lambda: False,
    jobs: int | None = None,
) -> AisLogs:
    """Read every daemon log of a case; files of other kinds are passed over. Unreadable ones are reported."""
    logs = [f for f in files if f.kind in AIS_KINDS]
    found = scan_all(logs, engine, cancelled, jobs)
    scanned: list[_Scanned] = []
    unread: list[Unread] = []
    for file in logs:
        scan = found.get(file.index, "not read")
        if isinstance(scan, str):
            unread.append(Unread(file.name, scan))
            continue
        if scan.damage:
            unread.append(Unread(file.name, scan.damage))
        scanned.append(_described(file, scan))
    return assemble(scanned, unread)


def _described(file: LogFile, scan: FileScan) -> _Scanned:
    name = read_daemon_name(file.name)
    title = next((p.title for p in scan.parts if p.title), None)
    header = next((p.header for p in scan.parts if p.header and p.header.host), None)
    role = title.role if title else "proxy" if file.kind is FileKind.AIS_PROXY else "target"
    return _Scanned(file, scan, name, role, title.id if title else name.node, header.host if header else name.host)


def assemble(scanned: Sequence[_Scanned], unread: Sequence[Unread]) -> AisLogs:
    """Join scans into daemons and put their messages in order, on one clock."""
    groups = list(_grouped(scanned))
    for members in groups:
        date_parts([(s.scan, s.name, s.file.mtime) for s in members])
    daemons = [_daemon(index, members) for index, members in enumerate(groups)]
    if ahead := clocks_ahead(m for d in daemons for m in _messages(d)):
        for index, seconds in ahead.items():
            _set_back(groups[index], seconds)
        daemons = [_daemon(index, members, ahead.get(index, 0.0)) for index, members in enumerate(groups)]
    messages = sorted(
        (m for d in daemons for m in _messages(d)), key=lambda m: (m.time or 0.0, m.daemon, m.file, m.line)
    )
    return AisLogs(
        tuple(daemons), tuple(messages), _counts(daemons), tuple(unread), {s.file.index: s.file for s in scanned},
        sum(s.scan.size for s in scanned), sum(s.scan.lines for s in scanned), _unknown(daemons),
    )  # fmt: skip


def _set_back(members: Sequence[_Scanned], seconds: float) -> None:
    for part in (p for s in members for p in s.scan.parts):
        part.ahead_s = seconds


def _unknown(daemons: Sequence[Daemon]) -> tuple[Unknown, ...]:
    found = (_dated(daemon, file, raw) for daemon in daemons for file in daemon.main for raw in file.scan.unknown)
    return tuple(sorted(found, key=lambda u: (u.letter, -u.count, u.daemon, u.file, u.line)))


def _dated(daemon: Daemon, file: DaemonFile, raw: UnknownRecords) -> Unknown:
    parts = file.scan.parts
    times = (parts[part].time(clock, offset) for part, clock, offset in raw.clocks)
    template = f"{raw.source}: {raw.template}" if raw.source else raw.template
    return Unknown(
        daemon.index, file.file, raw.line, raw.letter, template, raw.text, raw.count,
        tuple(t for t in times if t is not None),
    )  # fmt: skip


def _grouped(scanned: Sequence[_Scanned]) -> Iterator[list[_Scanned]]:
    """Files of one daemon together: by node ID, else by directory, role and host; a file with neither stays alone."""
    known: dict[tuple[str, str, str], set[str]] = {}
    for s in scanned:
        if s.node:
            known.setdefault((folder(s.file.name), s.role, s.host), set()).add(s.node)
    groups: dict[tuple[str, str], list[_Scanned]] = {}
    for s in scanned:
        place = (folder(s.file.name), s.role, s.host)
        siblings = known.get(place, set()) if s.host else set()
        node = s.node or (next(iter(siblings)) if len(siblings) == 1 else "")
        key = (s.role, node) if node else (s.role, "\n".join(place) if s.host else s.file.name)
        groups.setdefault(key, []).append(replace(s, node=node))
    yield from (groups[k] for k in sorted(groups, key=lambda k: (k[0] == "proxy", k[1])))


def _daemon(index: int, members: Sequence[_Scanned], ahead_s: float = 0.0) -> Daemon:
    files = sorted((_file(s) for s in members), key=lambda f: (f.start is None, f.start or 0.0, f.file))
    files = _mark_duplicates(files)
    files = [*_with_ends([f for f in files if not f.duplicate_of]), *(f for f in files if f.duplicate_of)]
    titles = [p.title for s in members for p in s.scan.parts if p.title]
    host = next((s.host for s in members if s.host), "")
    version = titles[-1].version if titles else ""
    return Daemon(index, members[0].role, members[0].node, host, version, tuple(files), _zones(files), ahead_s)


def _file(scanned: _Scanned) -> DaemonFile:
    scan = scanned.scan
    ended = {m.part for m in scan.messages if _ended(m.pattern)}
    parts = []
    for index, raw in enumerate(scan.parts):
        first = raw.time(raw.first, raw.offset) if raw.first is not None else None
        last = raw.time(raw.last, raw.end) if raw.last is not None else None
        start = raw.opened if raw.header else first
        dated, host = raw.dated_by, raw.header.host if raw.header else scanned.host
        parts.append(
            Part(
                index, raw.opening, raw.line, host, start, last or start, dated, "last record" if last else dated,
                raw.records, index in ended,
            )
        )  # fmt: skip
    return DaemonFile(scanned.file.index, scanned.file.name, scanned.name.level, tuple(parts), scan)


def _ended(pattern: int) -> bool:
    return registry(Scope.DAEMONS).patterns[pattern].name in ("lifecycle.terminated", "lifecycle.fatal")


def _mark_duplicates(files: Sequence[DaemonFile]) -> list[DaemonFile]:
    """One process opens one file of a level at a time: the same start twice is the same file twice."""
    best: dict[tuple[str, float | None, str], DaemonFile] = {}
    for file in files:
        key = _identity(file)
        if key not in best or file.scan.size > best[key].scan.size:
            best[key] = file
    return [f if best[_identity(f)] is f else replace(f, duplicate_of=best[_identity(f)].name) for f in files]


def _identity(file: DaemonFile) -> tuple[str, float | None, str]:
    headed = bool(file.parts) and file.parts[0].opening is not Opening.HEADLESS
    return (file.level, file.start, "") if headed else (file.level, file.start, f"{file.scan.size}")


def _with_ends(files: Sequence[DaemonFile]) -> list[DaemonFile]:
    """Let a part end where the same process went on into the next file."""
    runs = [(f, p) for f in files for p in f.parts]
    ends: dict[tuple[int, int], tuple[float, str]] = {}
    for level in ("INFO", "ERROR"):
        chain = [(f, p) for f, p in runs if f.level == level and p.start is not None and p.end is not None]
        for (file, part), (_next, after) in pairwise(chain):
            near = after.start is not None and part.end is not None and after.start - part.end < MARKER_SPACING_S
            if after.opening is Opening.ROTATED and near and after.start is not None:
                ends[file.file, part.index] = (after.start, "next header")
    return [
        replace(
            f,
            parts=tuple(
                replace(p, end=ends[f.file, p.index][0], end_from=ends[f.file, p.index][1])
                if (f.file, p.index) in ends
                else p
                for p in f.parts
            ),
        )
        for f in files
    ]


def _zones(files: Sequence[DaemonFile]) -> tuple[tuple[str, str, int, str], ...]:
    found: list[tuple[str, str, int, str]] = []
    for file in files:
        for zone in (z for p in file.scan.parts for z in p.zones):
            if not found or found[-1][0] != zone.name:
                found.append((zone.name, file.name, zone.line, zone.text))
    return tuple(found)


def _messages(daemon: Daemon) -> Iterator[Message]:
    """Each record once: what an ERROR file repeats is taken from the INFO file."""
    seen: set[tuple[float | None, str]] = set()
    patterns = registry(Scope.DAEMONS).patterns
    for file in sorted(daemon.used, key=lambda f: f.level != "INFO"):
        repeats = file.level == "ERROR"
        for raw in file.scan.messages:
            time = file.scan.parts[raw.part].time(raw.clock, raw.offset)
            if repeats and (time, raw.text) in seen:
                continue
            if not repeats and raw.letter != "I":
                seen.add((time, raw.text))
            pattern = patterns[raw.pattern]
            yield Message(time, daemon.index, file.file, raw.line, pattern, raw.letter, raw.head, raw.text)


def _counts(daemons: Sequence[Daemon]) -> dict[tuple[int, str], int]:
    """Exact counts from the files that carry every record."""
    counts: dict[tuple[int, str], int] = {}
    patterns = registry(Scope.DAEMONS).patterns
    for daemon in daemons:
        for file in daemon.main:
            for pattern, n in file.scan.counts.items():
                key = (daemon.index, patterns[pattern].name)
                counts[key] = counts.get(key, 0) + n
    return counts

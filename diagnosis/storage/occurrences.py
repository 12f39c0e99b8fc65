"""The failure window on the daemons' clock, which logs cover it, and what the daemons show in it.

Dated occurrences: messages of one kind, saturated disks, waits, restarts; each with what it points at: the client, a
peer, the node itself, or the resource that ran short.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.storage.accused import Addresses, Voice, accused_of
from logtui.diagnosis.storage.clock import AisClock, cite_message
from logtui.diagnosis.storage.counters import CounterView, Saturation
from logtui.parsers.daemons.daemon import MARKER_SPACING_S, AisLogs, Daemon, Message, Restart
from logtui.parsers.daemons.stats import show_seconds
from logtui.parsers.pattern import Role, Severity

BEFORE_S, AFTER_S = 600.0, 300.0
"""Around a failure that only the daemons show."""
QUIET_S = 7200.0
"""Looked at when nothing failed: the end of the logs."""
CITED = 3
SLOWER = 4.0
"""Waiting per batch grew this much against before: worth saying."""
WAITED_S = 5.0
LEAVING_S = 300.0
"""A daemon that is told to stop is gone this soon."""
SETTLED_S = 5.0
"""Clocks of daemons differ by less."""
JOINED_S = 30.0
"""Messages of one kind this close are one occurrence."""


def client_left(message: Message) -> bool:
    """Whether a failed transmission only says that the client was gone: its socket broke, which is its own doing."""
    if message.name in ("getbatch.client_gone", "getbatch.abandoned"):
        return True
    cause = message.fields.get("cause", "") if message.name == "getbatch.truncated" else ""
    return cause.startswith("write tcp") or "context canceled" in cause


def loaded(message: Message) -> str:
    """Which of the grades of a load message is high: `dsk=critical` blames the disks."""
    text = message.fields.get("grades") or ""
    for grade, name in (("dsk", "disk"), ("mem", "memory"), ("cpu", "cpu")):
        if f"{grade}=critical" in text or f"{grade}=high" in text:
            return name
    for name in ("disk", "mem", "cpu"):
        if message.fields.get(name) in ("critical", "high", "3", "4"):
            return "memory" if name == "mem" else name
    return "load"


def _blamed(logs: AisLogs, addresses: Addresses, run: Sequence[Message]) -> tuple[str, ...]:
    """Peers that the messages speak against, and the nodes themselves where the trouble is their own."""
    found: dict[str, None] = {}
    for message in run:
        found.update(dict.fromkeys(accused_of(addresses, logs, message)))
        if message.pattern.blames in ("disk", "memory", "cpu", "capacity", "load", "restart"):
            named = logs.named(message.fields.get("node", ""))
            found.setdefault((named or logs.daemons[message.daemon]).label)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Window:
    """A time span on the daemons' clock."""

    start: float
    end: float
    how: str
    """`job`, `messages`, `end of logs`."""


@dataclass(frozen=True, slots=True)
class Uncovered:
    """A part of the window for which a daemon has no log."""

    daemon: int
    start: float
    end: float
    why: str


def choose_window(logs: AisLogs, given: tuple[float, float] | None, clock: AisClock) -> Window | None:
    """The job's window by the daemons' clock; else around the first failure they show; else the end of their logs.

    A given window is not used while the offset is unknown and it does not overlap the logs as it stands.
    """
    span = log_span(logs)
    if span is None:
        return None
    if given is not None:
        start, end = given[0] - clock.shift, given[1] - clock.shift
        if clock.offset_s is not None or (start <= span[1] and end >= span[0]):
            return Window(start, end, "job")
    serious = first_failure(logs)
    if serious is not None and serious.time is not None:
        return Window(serious.time - BEFORE_S, serious.time + AFTER_S, "messages")
    return Window(max(span[0], span[1] - QUIET_S), span[1], "end of logs")


def log_span(logs: AisLogs) -> tuple[float, float] | None:
    """First and last time of any daemon file."""
    spans = [(f.start, f.end) for d in logs.daemons for f in d.used if f.start is not None and f.end is not None]
    return (min(s for s, _ in spans), max(e for _, e in spans)) if spans else None


def first_failure(logs: AisLogs) -> Message | None:
    """The earliest error by meaning that speaks of a failed request or a broken node."""
    wanted = ("getbatch", "disks", "capacity", "memory", "lifecycle", "shared_dm", "service", "membership")
    return next(
        (
            m
            for m in logs.messages
            if m.time is not None
            and m.pattern.severity is Severity.ERROR
            and m.pattern.role is Role.CAUSE
            and m.pattern.area in wanted
            and not client_left(m)
        ),
        None,
    )


def uncovered(logs: AisLogs, daemon: Daemon, window: Window) -> list[Uncovered]:
    """Where in the window the daemon's files say nothing because they are missing."""
    out: list[Uncovered] = []
    starts = [f.start for f in daemon.main if f.start is not None]
    ends = [f.end for f in daemon.main if f.end is not None]
    if not starts or not ends:
        return [Uncovered(daemon.index, window.start, window.end, "undated")]
    for gap in daemon.gaps():
        start = max(window.start, gap.start if gap.start is not None else window.start)
        end = min(window.end, gap.end if gap.end is not None else window.end)
        if start < end:
            out.append(Uncovered(daemon.index, start, end, gap.why))
    first = min(starts)
    unheard = first > window.end or _was_there(logs, daemon, first)
    if first > window.start and unheard and not any(g.start is None for g in daemon.gaps()):
        out.append(Uncovered(daemon.index, window.start, min(first, window.end), "before its first start"))
    # A quiet daemon writes an hourly marker and nothing else.
    if max(ends) + MARKER_SPACING_S < window.end:
        out.append(Uncovered(daemon.index, max(max(ends), window.start), window.end, "not collected"))
    return out


def _was_there(logs: AisLogs, daemon: Daemon, first: float) -> bool:
    """Whether others speak of a daemon before its first start, so that it had run before."""
    if not daemon.id:
        return True
    earlier = (m for m in logs.messages if m.time is not None and m.time < first - SETTLED_S)
    return any(m.daemon != daemon.index and daemon.id in m.text for m in earlier)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One thing that happened. Time is the daemons' clock."""

    time: float
    what: str
    kind: str
    """A pattern's name, `disks.saturated`, `counters.wait`, `lifecycle.restart`."""
    role: Role
    severity: Severity
    blames: str
    nodes: tuple[int, ...]
    """Daemons that show it."""
    blamed: tuple[str, ...]
    """Labels of daemons that it points at, where it names any: the silent peer, the broken disk's target."""
    count: int
    evidence: tuple[Evidence, ...]

    @property
    def cause(self) -> bool:
        """Whether it may be where the trouble began."""
        return self.role is Role.CAUSE


def occurrences(
    logs: AisLogs,
    window: Window,
    disks: Sequence[Saturation],
    views: Sequence[CounterView],
    offset_s: float,
    addresses: Addresses,
    against: Sequence[Voice] = (),
) -> list[Occurrence]:
    """Everything that the window shows, in order of time. Evidence times are the workers' clock."""
    found = [
        *_from_messages(logs, window, offset_s, addresses),
        *(_from_disks(logs, s, offset_s) for s in disks if s.start <= window.end and s.end >= window.start),
        *_from_restarts(logs, window, offset_s, against),
        *_from_waits(logs, views, offset_s),
    ]
    return sorted(found, key=lambda o: (o.time, o.kind))


def _from_messages(logs: AisLogs, window: Window, offset_s: float, addresses: Addresses) -> Iterator[Occurrence]:
    """Messages of one kind, close in time, as one occurrence; noise is left to the counts."""
    groups: dict[str, list[list[Message]]] = {}
    for message in logs.messages:
        if message.time is None or not window.start <= message.time <= window.end:
            continue
        if message.pattern.role is Role.NOISE:
            continue
        group = groups.setdefault(message.name, [])
        if group and message.time - (group[-1][-1].time or 0.0) <= JOINED_S:
            group[-1].append(message)
        else:
            group.append([message])
    for runs in groups.values():
        for run in runs:
            yield _from_run(logs, run, offset_s, addresses)


def _from_run(logs: AisLogs, run: Sequence[Message], offset_s: float, addresses: Addresses) -> Occurrence:
    pattern = run[0].pattern
    nodes = tuple(dict.fromkeys(m.daemon for m in run))
    who = _names(logs, nodes)
    times = f" ({len(run)} records)" if len(run) > len(nodes) else ""
    evidence = tuple(cite_message(logs, m, offset_s) for m in _one_per_node(run))
    left = all(client_left(m) for m in run)
    blames = "client" if left else loaded(run[0]) if pattern.blames == "load" else pattern.blames
    role = Role.SYMPTOM if left else pattern.role
    what = f"{who}: {pattern.title}{times}"
    return Occurrence(
        run[0].time or 0.0, what, pattern.name, role, pattern.severity, blames,
        nodes, _blamed(logs, addresses, run), len(run), evidence,
    )  # fmt: skip


def _one_per_node(run: Sequence[Message]) -> list[Message]:
    first: dict[int, Message] = {}
    for message in run:
        first.setdefault(message.daemon, message)
    chosen = list(first.values())[:CITED]
    return chosen if len(chosen) > 1 else list(run[:CITED])


def _from_disks(logs: AisLogs, s: Saturation, offset_s: float) -> Occurrence:
    daemon = logs.daemons[s.daemon]
    which = f"all {s.seen} disks" if len(s.disks) == s.seen and s.seen > 1 else f"{len(s.disks)} of {s.seen} disks"
    which = which if len(s.disks) > 1 else f"disk {s.disks[0]}"
    what = f"{daemon.label}: {which} at {s.busiest} % for {show_seconds(s.lasted_s)}"
    evidence = Evidence(logs.files[s.first.file].name, s.first.line, s.first.text, s.first.time + offset_s)
    return Occurrence(
        s.start, what, "disks.saturated", Role.CAUSE, Severity.WARNING, "disk",
        (s.daemon,), (daemon.label,), 1, (evidence,),
    )  # fmt: skip


def _from_restarts(logs: AisLogs, window: Window, offset_s: float, against: Sequence[Voice]) -> Iterator[Occurrence]:
    """Dated by the daemon's last word where it took its leave; else by the first who missed it."""
    for daemon in logs.daemons:
        for restart in daemon.restarts():
            last = _told_to_stop(logs, daemon, restart) or restart.stopped or restart.time
            if last > window.end or restart.time < window.start:
                continue
            missed = next(
                (v.time for v in against if v.against == daemon.label and last <= v.time < restart.time), None
            )
            gone = last if restart.clean or missed is None else missed
            what = f"{daemon.label}: {_how_it_went(restart, last, gone)}"
            evidence = Evidence(restart.file, restart.line, "Started up at ", restart.time + offset_s)
            yield Occurrence(
                gone, what, "lifecycle.restart", Role.CAUSE, Severity.ERROR, "restart",
                (daemon.index,), (daemon.label,), 1, (evidence,),
            )  # fmt: skip


def _told_to_stop(logs: AisLogs, daemon: Daemon, restart: Restart) -> float | None:
    """When a daemon that took its leave began to: from there on it serves nobody."""
    if not restart.clean or restart.stopped is None:
        return None
    told = (
        m.time
        for m in logs.messages
        if m.name == "lifecycle.stopping" and m.daemon == daemon.index and m.time is not None
    )
    return next((t for t in told if 0 <= restart.stopped - t <= LEAVING_S), None)


def _how_it_went(restart: Restart, last: float, gone: float) -> str:
    """A killed daemon says nothing of it: it died between its last word and the first that missed it."""
    if restart.clean:
        return f"stopped cleanly, a new process {show_seconds(restart.time - last)} later"
    if gone == last:
        return f"ended without a word, a new process {show_seconds(restart.time - last)} later"
    between = f"within {show_seconds(gone - last)} before others missed it"
    return f"ended without a word {between}, a new process {show_seconds(restart.time - gone)} after that"


def _from_waits(logs: AisLogs, views: Sequence[CounterView], offset_s: float) -> Iterator[Occurrence]:
    """Targets whose wait for peers, per batch, grew far above what it was."""
    for view in views:
        ratio, waited = view.waits(), view.move("getbatch.rxwait.ns")
        if ratio is None or waited is None or ratio < SLOWER or waited.delta.delta < WAITED_S * 1e9:
            continue
        daemon, line = logs.daemons[view.daemon], view.slow_line(SLOWER)
        if line is None:
            continue
        seconds = show_seconds(waited.delta.delta / 1e9)
        what = f"{daemon.label}: waited {seconds} for its peers, {ratio:.0f} times more per batch than before"
        text = f"getbatch.rxwait.ns:{line.values.get('getbatch.rxwait.ns', 0)}"
        evidence = Evidence(logs.files[line.file].name, line.line, text, line.time + offset_s)
        yield Occurrence(
            line.time, what, "counters.wait", Role.SYMPTOM, Severity.WARNING, "peer",
            (view.daemon,), (), 1, (evidence,),
        )  # fmt: skip


def _names(logs: AisLogs, nodes: Sequence[int]) -> str:
    labels = [logs.daemons[n].label for n in nodes]
    return ", ".join(labels[:4]) + (f" and {len(labels) - 4} more" if len(labels) > 4 else "")

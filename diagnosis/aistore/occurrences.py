"""What the daemons show in the window, as dated occurrences: messages of one kind, saturated disks, waits, restarts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from logtui.diagnosis.aistore.blame import blamed, client_left, loaded
from logtui.diagnosis.aistore.clock import cite_message
from logtui.diagnosis.aistore.counters import CounterView
from logtui.diagnosis.aistore.disks import Saturation
from logtui.diagnosis.aistore.window import Window
from logtui.diagnosis.report import Evidence
from logtui.parsers.aistore.daemon import Message
from logtui.parsers.aistore.ingest import AisLogs
from logtui.parsers.aistore.units import show_seconds
from logtui.parsers.pattern import Role, Severity

CITED = 3
SLOWER = 4.0
"""Waiting per batch grew this much against before: worth saying."""
WAITED_S = 5.0
JOINED_S = 30.0
"""Messages of one kind this close are one occurrence."""


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
    """Node IDs that it points at, where it names any: the silent peer, the broken disk's target."""
    count: int
    evidence: tuple[Evidence, ...]

    @property
    def cause(self) -> bool:
        """Whether it may be where the trouble began."""
        return self.role is Role.CAUSE


def occurrences(
    logs: AisLogs, window: Window, disks: Sequence[Saturation], views: Sequence[CounterView], offset_s: float
) -> list[Occurrence]:
    """Everything that the window shows, in order of time. Evidence times are the workers' clock."""
    found = [
        *_from_messages(logs, window, offset_s),
        *(_from_disks(logs, s, offset_s) for s in disks if s.start <= window.end and s.end >= window.start),
        *_from_restarts(logs, window, offset_s),
        *_from_waits(logs, views, offset_s),
    ]
    return sorted(found, key=lambda o: (o.time, o.kind))


def _from_messages(logs: AisLogs, window: Window, offset_s: float) -> Iterator[Occurrence]:
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
            yield _from_run(logs, run, offset_s)


def _from_run(logs: AisLogs, run: Sequence[Message], offset_s: float) -> Occurrence:
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
        nodes, blamed(logs, run), len(run), evidence,
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
        (s.daemon,), (daemon.id,), 1, (evidence,),
    )  # fmt: skip


def _from_restarts(logs: AisLogs, window: Window, offset_s: float) -> Iterator[Occurrence]:
    for daemon in logs.daemons:
        for restart in daemon.restarts():
            gone = restart.stopped if restart.stopped is not None else restart.time
            if gone > window.end or restart.time < window.start:
                continue
            how = "stopped cleanly" if restart.clean else "ended without a word"
            what = f"{daemon.label}: {how}, a new process {show_seconds(restart.time - gone)} later"
            evidence = Evidence(restart.file, restart.line, "Started up at ", restart.time + offset_s)
            yield Occurrence(
                gone, what, "lifecycle.restart", Role.CAUSE, Severity.ERROR, "restart",
                (daemon.index,), (daemon.id,), 1, (evidence,),
            )  # fmt: skip


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

"""The storage side of a case, from daemon logs to findings: for rules, the report, the screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import ChainStep, Clock, TimelineEvent
from logtui.diagnosis.options import GivenOffset
from logtui.diagnosis.storage.accused import Addresses, voices
from logtui.diagnosis.storage.blame import Blame, blame
from logtui.diagnosis.storage.client import UNANSWERED, ClientEvent, RankOf, client_events, own_rank
from logtui.diagnosis.storage.clock import AisClock, derive_clock
from logtui.diagnosis.storage.counters import CounterMove, CounterView, Saturation, counter_view, explain, saturations
from logtui.diagnosis.storage.judgement import Damaged, Judgement, Scene, judge
from logtui.diagnosis.storage.members import unseen_nodes
from logtui.diagnosis.storage.occurrences import (
    Occurrence,
    Uncovered,
    Window,
    choose_window,
    occurrences,
    uncovered,
)
from logtui.diagnosis.storage.suspects import Link, Suspect, links
from logtui.parsers.daemons.daemon import AisLogs, Daemon, DaemonFile, ingest
from logtui.parsers.daemons.grammar import Opening
from logtui.parsers.daemons.reread import disk_loads
from logtui.parsers.files.case import Case
from logtui.parsers.pattern import Role
from logtui.parsers.prefix.stamp import iso
from logtui.parsers.source import AIS_KINDS

RUN_UP_S = 600.0
"""Disks are looked at this long before the window: what saturates before it matters in it."""
WIDEST_S = 6 * 3600.0
"""Of a longer window only the last part is looked at in detail."""
LISTED = 400


@dataclass(frozen=True)
class StorageFindings:
    """Everything about storage. Times are the workers' clock unless said otherwise."""

    logs: AisLogs = field(repr=False)
    window: Window
    """On the daemons' clock."""
    clock: AisClock
    judgement: Judgement
    chain: tuple[ChainStep, ...]
    timeline: tuple[TimelineEvent, ...]
    counters: tuple[CounterView, ...]
    disks: tuple[Saturation, ...]
    links: tuple[Link, ...]
    uncovered: tuple[Uncovered, ...]
    unseen: tuple[str, ...]
    """Nodes that others name and whose logs were not given."""
    occurrences: tuple[Occurrence, ...] = field(repr=False, default=())
    hurt: tuple[ClientEvent, ...] = field(repr=False, default=())
    """Requests of clients that failed in the window, by time."""

    @property
    def clocks(self) -> tuple[Clock, ...]:
        """For the report's list of clocks."""
        return (self.clock.as_clock(),)

    @property
    def missing(self) -> tuple[str, ...]:
        """What would settle the storage side."""
        return self.judgement.missing

    @property
    def cited(self) -> tuple[Evidence, ...]:
        """Every line that the findings rest on, for verification."""
        steps = (e for s in self.chain for e in s.evidence)
        servers = (k.server for k in self.links if k.server is not None)
        return tuple(dict.fromkeys((*self.judgement.because, *steps, *servers, *self.clock.evidence)))

    def as_dict(self) -> dict[str, object]:
        """The report's `ais` object. Times of files are the daemons' own clock."""
        utc = self.clock.server is not None and self.clock.server.ahead_s == 0
        return {
            "daemons": [self._daemon(d, utc) for d in self.logs.daemons],
            "window": {"start": iso(self.window.start, utc), "end": iso(self.window.end, utc), "from": self.window.how},
            "clock": {
                "offset_s": self.clock.offset_s, "confidence": self.clock.confidence, "from": self.clock.how,
                "residual_s": self.clock.residual_s, "note": self.clock.note,
            },
            "verdict": {
                "standing": self.judgement.standing.value, "confidence": self.judgement.confidence,
                "title": self.judgement.title, "blamed": list(self.judgement.blamed),
                "evidence": [_place(e) for e in self.judgement.because], "missing": list(self.judgement.missing),
            },
            "chain": [
                {"step": s.step, "what": s.what, "evidence": [_place(e) for e in s.evidence]} for s in self.chain
            ],
            "unseen": list(self.unseen),
        }  # fmt: skip

    def _daemon(self, daemon: Daemon, utc: bool) -> dict[str, object]:
        view = next((v for v in self.counters if v.daemon == daemon.index), None)
        return {
            "id": daemon.id or None, "role": daemon.role, "host": daemon.host or None,
            "version": daemon.version or None, "clock_ahead_s": daemon.ahead_s,
            "files": [_file(f, utc) for f in daemon.files],
            "gaps": [{"start": iso(g.start, utc), "end": iso(g.end, utc), "why": g.why} for g in daemon.gaps()],
            "counters": self._moves(view) if view else [],
            "flags": [
                {
                    "time": iso(f.time, utc), "flags": f.flags, "names": list(f.names), "red": f.red,
                    "file": self.logs.files[f.file].name, "line": f.line,
                }
                for f in (view.flags if view else ())
            ],
            "disks": [
                {
                    "start": iso(s.start, utc), "end": iso(s.end, utc), "disks": list(s.disks), "of": s.seen,
                    "busiest": s.busiest, "file": self.logs.files[s.first.file].name, "line": s.first.line,
                }
                for s in self.disks if s.daemon == daemon.index
            ],
            "signatures": self._signatures(daemon.index),
            "unread": self._unread(daemon.index),
        }  # fmt: skip

    def _moves(self, view: CounterView) -> list[dict[str, object]]:
        return [self._move(view, m) for m in view.moves if m.delta.delta or m.name.startswith("err.")]

    def _move(self, view: CounterView, m: CounterMove) -> dict[str, object]:
        against = view.per_request(m)
        return {
            "name": m.name, "from": m.delta.before, "to": m.delta.after, "delta": m.delta.delta,
            "file": self.logs.files[m.delta.file].name, "line": m.delta.line, "resets": m.delta.resets,
            "restarts": m.delta.restarts, "before_per_s": round(m.base_rate, 6), "per_s": round(m.rate, 6),
            "requests": against.of if against else None,
            "before_per_request": against.before if against else None,
            "per_request": against.now if against else None,
            "means": explain(m.name),
        }  # fmt: skip

    def _unread(self, daemon: int) -> list[dict[str, object]]:
        """Warnings and errors of the daemon that no signature reads, by template."""
        span = (self.window.start, self.window.end)
        return [
            {
                "severity": u.letter, "template": u.template, "count": u.count, "in_window": u.within(*span),
                "time": iso(u.times[0]) if u.times else None, "file": self.logs.files[u.file].name, "line": u.line,
                "text": u.text,
            }
            for u in self.logs.unknown if u.daemon == daemon
        ]  # fmt: skip

    def _signatures(self, daemon: int) -> list[dict[str, object]]:
        """Every kind of message that the daemon wrote, with its first line in the window, or ever."""
        firsts: dict[str, dict[str, object]] = {}
        for message in self.logs.messages:
            if message.daemon != daemon or message.pattern.role is Role.STATE:
                continue
            inside = message.time is not None and self.window.start <= message.time <= self.window.end
            known = firsts.get(message.name)
            if known is None or (inside and not known["in_window"]):
                firsts[message.name] = {
                    "name": message.name, "title": message.pattern.title,
                    "meaning": _meaning(message.pattern.role), "severity": message.pattern.severity.value,
                    "count": self.logs.counts.get((daemon, message.name), 0), "in_window": inside,
                    "time": iso(message.time), "file": self.logs.file_name(message), "line": message.line,
                }  # fmt: skip
        return list(firsts.values())


def _meaning(role: Role) -> str:
    """A role as the report calls it."""
    return "consequence" if role is Role.SYMPTOM else role.value


def _file(file: DaemonFile, utc: bool) -> dict[str, object]:
    starts = [p for p in file.parts if p.opening is Opening.STARTED]
    return {
        "file": file.name, "start": iso(file.start, utc), "end": iso(file.end, utc),
        "start_from": file.parts[0].start_from if file.parts else None,
        "end_from": file.parts[-1].end_from if file.parts else None,
        "restart": bool(starts), "level": file.level, "duplicate_of": file.duplicate_of or None,
    }  # fmt: skip


def _place(e: Evidence) -> dict[str, object]:
    return {"file": e.file, "line": e.line, "text": e.text}


def analyse_storage(
    case: Case,
    window: tuple[float, float] | None = None,
    suspects: Sequence[Suspect] = (),
    *,
    logs: AisLogs | None = None,
    offset: GivenOffset | None = None,
    felt: bool = True,
    rank_of: RankOf = own_rank,
    raised: Sequence[ClientEvent] = (),
    damaged: Sequence[Damaged] = (),
) -> StorageFindings | None:
    """Everything that the AIStore daemons say about a failure; None where the case holds none of their logs.

    `window` is the failure's time span by the workers' clock, `offset` one that the user set.
    `logs` is an earlier reading of the same files, so that a changed window or offset costs no new scan. `felt` says
    that the job failed or stood still, `raised` what exceptions say of failed requests, `damaged`
    the objects that could not be used.
    """
    logs = logs if logs is not None else read_logs(case)
    if logs is None or not logs.daemons:
        return None
    clock = derive_clock(case, logs, window[1] if window else None, offset)
    chosen = choose_window(logs, window, clock)
    if chosen is None:
        return None
    chosen = Window(max(chosen.start, chosen.end - WIDEST_S), chosen.end, chosen.how)
    # Without a failure of their own the workers still have a clock that must be known to agree.
    of_job = window is not None or any(f.kind not in AIS_KINDS for f in case.files)
    unseen, disks, told = unseen_nodes(logs), _saturated(logs, chosen), client_events(case, UNANSWERED, rank_of)
    addresses = Addresses(logs, (e for event in told for e in event.endpoints))
    hurt = _hurt([*told, *raised], chosen, clock)
    scene = _scene(logs, chosen, clock, disks, addresses, hurt, unseen)
    scene = replace(scene, of_job=of_job, felt=felt or any(e.lost_write for e in hurt), damaged=damaged)
    shown = [o for o in scene.found if o.role is not Role.STATE]
    return StorageFindings(
        logs, chosen, clock, judge(scene), _chain(shown, clock), _timeline(scene.found, clock), tuple(scene.views),
        tuple(disks), links(case, logs, addresses, clock, suspects, rank_of), tuple(scene.gaps), unseen,
        tuple(scene.found), tuple(hurt),
    )  # fmt: skip


def _scene(
    logs: AisLogs, window: Window, clock: AisClock, disks: Sequence[Saturation], addresses: Addresses,
    hurt: Sequence[ClientEvent], unseen: Sequence[str],
) -> Scene:  # fmt: skip
    """What happened in the window, who speaks against whom, and what is not known."""
    views = [counter_view(logs, d, window.start, window.end) for d in logs.daemons]
    against = voices(logs, addresses, (window.start, window.end), hurt, clock.shift)
    found = occurrences(logs, window, disks, views, clock.shift, addresses, against)
    gaps = [g for d in logs.daemons for g in uncovered(logs, d, window) if g.why != "down"]
    scene = Scene(logs, found, views, gaps, clock, _missing(logs, gaps, unseen), Blame(), hurt, window)
    scene = replace(scene, unseen=bool(unseen))
    return replace(scene, blame=blame(found, against, scene.felt_at))


def _hurt(events: Iterable[ClientEvent], window: Window, clock: AisClock) -> list[ClientEvent]:
    """Failed requests in the window, what clients logged first; all, where it is not known how the clocks differ."""
    events = sorted(events, key=lambda e: (e.raised is not None, e.time, e.record.file, e.record.line))
    if clock.offset_s is None:
        return events
    start, end = window.start + clock.shift, window.end + clock.shift
    return [e for e in events if start <= e.time <= end]


def read_logs(case: Case) -> AisLogs | None:
    """Read the daemon logs of a case; None where it holds none."""
    return ingest(case.files) if any(f.kind in AIS_KINDS for f in case.files) else None


def _saturated(logs: AisLogs, window: Window) -> list[Saturation]:
    found: list[Saturation] = []
    for daemon in logs.daemons:
        if daemon.role == "target":
            found += saturations(daemon.index, disk_loads(logs, daemon, window.start - RUN_UP_S, window.end))
    return sorted(found, key=lambda s: s.start)


def _missing(logs: AisLogs, gaps: Sequence[Uncovered], unseen: Sequence[str]) -> list[str]:
    """What to fetch, one line each."""
    out = [
        f"log of {logs.daemons[g.daemon].label} from {iso(g.start)} to {iso(g.end)} ({g.why})" for g in _longest(gaps)
    ]
    return out + [f"log of {node}: none of its files was given" for node in unseen]


def _longest(gaps: Iterable[Uncovered]) -> list[Uncovered]:
    return sorted(gaps, key=lambda g: g.start - g.end)[:8]


def _chain(found: Sequence[Occurrence], clock: AisClock) -> tuple[ChainStep, ...]:
    """Causes and consequences in order of time, the first of each kind per group of nodes."""
    kept: list[Occurrence] = []
    seen: set[tuple[str, tuple[int, ...]]] = set()
    for o in found:
        if (o.kind, o.nodes) not in seen:
            seen.add((o.kind, o.nodes))
            kept.append(o)
    return tuple(
        ChainStep(n, o.what, o.time + clock.shift, False, o.evidence, n + 1 if n < len(kept) else None)
        for n, o in enumerate(kept, 1)
    )


def _timeline(found: Sequence[Occurrence], clock: AisClock) -> tuple[TimelineEvent, ...]:
    where = "exact, local" if clock.offset_s is None else f"offset {clock.offset_s:+.0f} s, {clock.how}"
    return tuple(
        TimelineEvent(
            o.time + clock.shift, where, "ais", None, o.what, _first(o).file, _first(o).line, False, o.severity.value
        )
        for o in found[:LISTED]
        if o.evidence
    )


def _first(occurrence: Occurrence) -> Evidence:
    return occurrence.evidence[0]

"""What the storage side says about the failure: for rules, the report, the screen."""

from __future__ import annotations

from dataclasses import dataclass, field

from logtui.diagnosis.aistore.clock import AisClock
from logtui.diagnosis.aistore.counters import CounterMove, CounterView
from logtui.diagnosis.aistore.disks import Saturation
from logtui.diagnosis.aistore.judgement import Judgement
from logtui.diagnosis.aistore.meanings import explain
from logtui.diagnosis.aistore.occurrences import Occurrence
from logtui.diagnosis.aistore.suspects import Link
from logtui.diagnosis.aistore.window import Uncovered, Window
from logtui.diagnosis.report import ChainStep, Clock, Evidence, TimelineEvent
from logtui.parsers.aistore.daemon import Daemon, DaemonFile
from logtui.parsers.aistore.grammar import Opening
from logtui.parsers.aistore.ingest import AisLogs
from logtui.parsers.pattern import Role
from logtui.parsers.stamp import iso


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
            "version": daemon.version or None,
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

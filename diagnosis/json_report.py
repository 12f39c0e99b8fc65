"""The report as the machine-readable contract has it (schema 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from logtui.diagnosis.attempts.findings import History
from logtui.diagnosis.attempts.texts import as_list as attempts_as_list
from logtui.diagnosis.attempts.texts import recurring_as_list
from logtui.diagnosis.json_text import indented
from logtui.diagnosis.marks import Mark, as_list
from logtui.diagnosis.odd_lines.texts import as_dict as odd_lines_as_dict
from logtui.diagnosis.pace.texts import as_dict as pace_as_dict
from logtui.diagnosis.report import (
    SCHEMA,
    Clock,
    Coverage,
    Evidence,
    Exit,
    GroupState,
    JobFacts,
    PatternCount,
    RankState,
    Report,
    Steps,
    TimelineEvent,
    Verdict,
)
from logtui.diagnosis.witness_texts import as_dict as witnesses_as_dict
from logtui.parsers.stamp import iso

Json = dict[str, Any]


def as_dict(report: Report) -> Json:
    """The whole report; every key of the contract, unknown as None."""
    return {
        "schema": SCHEMA,
        "logtui": report.version,
        "job": _job(report.job),
        "coverage": _coverage(report.coverage),
        "verdict": _verdict(report.verdict),
        "chain": [
            {
                "step": s.step,
                "time": iso(s.time, s.zoned),
                "what": s.what,
                "evidence": _lines(s.evidence),
                "leads_to": s.leads_to,
            }
            for s in report.chain
        ],
        "symptoms": [{"what": s.what, "evidence": _lines(s.evidence)} for s in report.symptoms],
        "ranks": [_rank(r) for r in report.ranks],
        "timeline": [_event(e) for e in report.timeline],
        "clocks": [_clock(c) for c in report.clocks],
        "ais": report.ais,
        "flight_recorder": report.flight_recorder,
        "counts": [_count(c) for c in report.counts],
        "steps": _steps(report.steps),
        "recommendations": [
            {"side": r.side, "what": r.what, "because": _lines(r.because)} for r in report.recommendations
        ],
        "verification": {"checked": report.verification.checked, "failed": list(report.verification.failed)},
        "revisions": [{"was": r.was, "now": r.now, "because": _place(r.because)} for r in report.revisions],
        "attempts": attempts_as_list(report.history or History()),
        "recurring": recurring_as_list(report.history or History()),
        "odd_lines": odd_lines_as_dict(report.odd_lines),
        "witnesses": witnesses_as_dict(report.witnesses),
    }


def dumps(report: Report, marks: Sequence[Mark] = ()) -> str:
    """The report as JSON text, control characters escaped, one object; with what a person marked, if anything."""
    marked = {"marks": as_list(marks)} if marks else {}
    return indented({**as_dict(report), **marked})


def _job(job: JobFacts) -> Json:
    return {
        "id": job.id,
        "framework": job.framework,
        "framework_version": job.framework_version,
        "launcher": job.launcher,
        "scheduler": job.scheduler,
        "world_size": job.world_size,
        "nodes": job.nodes,
        "gpus_per_node": job.gpus_per_node,
        "started": iso(job.started),
        "ended": iso(job.ended),
        "resumed_from": job.resumed_from,
        "last_step": job.last_step,
        "data_source": job.data_source,
    }


def _coverage(c: Coverage) -> Json:
    return {
        "files": c.files,
        "files_unread": [{"file": f, "why": w} for f, w in c.files_unread],
        "bytes": c.bytes,
        "lines": c.lines,
        "lines_unparsed": c.lines_unparsed,
        "ranks_expected": c.ranks_expected,
        "ranks_expected_from": _place(c.ranks_expected_from),
        "ranks_seen": c.ranks_seen,
        "ranks_missing": list(c.ranks_missing),
        "nodes_missing": list(c.nodes_missing),
    }


def _verdict(v: Verdict) -> Json:
    return {
        "class": v.cls,
        "title": v.title,
        "confidence": v.confidence,
        "culprit_ranks": list(v.culprit_ranks),
        "culprit_hosts": list(v.culprit_hosts),
        "first_evidence": _line(v.first_evidence),
        "runners_up": [
            {"class": r.cls, "title": r.title, "why_not": r.why_not, "evidence": _lines(r.evidence)}
            for r in v.runners_up
        ],
        "missing": list(v.missing),
    }


def _place(e: Evidence | None) -> Json | None:
    return {"file": e.file, "line": e.line} if e else None


def _line(e: Evidence | None) -> Json | None:
    return {"file": e.file, "line": e.line, "text": e.text, "time": iso(e.time, e.zoned)} if e else None


def _lines(evidence: tuple[Evidence, ...]) -> list[Json]:
    return [{"file": e.file, "line": e.line, "text": e.text} for e in evidence]


def _rank(r: RankState) -> Json:
    return {
        "rank": r.rank,
        "host": r.host,
        "local_rank": r.local_rank,
        "files": list(r.files),
        "status": r.status,
        "role": r.role,
        "groups": [_group(g) for g in r.groups],
        "last_words": _line(r.last_words),
        "last_step": r.last_step,
        "exit": _exit(r.exit),
    }


def _group(g: GroupState) -> Json:
    s = g.stuck_on
    stuck = (
        None
        if s is None
        else {
            "seq": s.seq,
            "op": s.op,
            "numel_in": s.numel_in,
            "numel_out": s.numel_out,
            "timeout_ms": s.timeout_ms,
        }
    )
    return {
        "group": g.group,
        "desc": g.desc,
        "enqueued": g.enqueued,
        "started": g.started,
        "completed": g.completed,
        "stuck_on": stuck,
        "evidence": _place(g.evidence),
    }


def _exit(e: Exit | None) -> Json | None:
    return {"code": e.code, "signal": e.signal, "evidence": _place(e.evidence)} if e else None


def _event(e: TimelineEvent) -> Json:
    return {
        "time": iso(e.time, e.zoned),
        "time_from": e.time_from,
        "source": e.source,
        "rank": e.rank,
        "what": e.what,
        "file": e.file,
        "line": e.line,
    }


def _clock(c: Clock) -> Json:
    return {
        "source": c.source,
        "zone": c.zone,
        "offset_s": c.offset_s,
        "derived_from": [_place(e) for e in c.derived_from],
        "residual_s": c.residual_s,
    }


def _count(c: PatternCount) -> Json:
    return {
        "pattern": c.pattern,
        "total": c.total,
        "by_file": c.by_file,
        "by_rank": {str(k): v for k, v in c.by_rank.items()},
        "retry": None if c.retry_max is None else {"max": c.retry_max, "of": c.retry_of, "exhausted": c.exhausted},
        "noise": c.noise,
    }


def _steps(s: Steps | None) -> Json | None:
    if s is None:
        return None
    return {
        "first": s.first,
        "last": s.last,
        "median_ms": s.median_ms,
        "slow": [
            {"from_step": x.from_step, "to_step": x.to_step, "ratio": x.ratio, "evidence": _place(x.evidence)}
            for x in s.slow
        ],
        **pace_as_dict(s.pace),
    }

"""What can be asked about a job that was opened; every answer is small, paged, and cites `file:line`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from logtui.diagnosis.evidence import still_says
from logtui.diagnosis.model.report import RankState, TimelineEvent
from logtui.diagnosis.report.saved_report import citations, drifted
from logtui.parsers.prefix.stamp import iso
from logtui.parsers.prefix.typed_time import read_time
from logtui.tui.answers.open_job import NotAnswerable, OpenJob, cited
from logtui.tui.answers.paging import PAGE, Answer, page, trimmed
from logtui.tui.screens.compare import Pair, TimedLine, aligned, lines_of_rank
from logtui.tui.shared.case_view import citations as cited_lines

SUMMARY = "summary"
NEAR_EVENTS = 10
NEAR_LINES = 8
MOST_RANKS = 4
REPORT_BYTES = 64 << 20


def report(job: OpenJob, section: str = SUMMARY, offset: int = 0, limit: int = PAGE) -> Answer:
    """A key of the report, or the summary."""
    if section == SUMMARY:
        return summary(job)
    if section not in job.report:
        raise NotAnswerable(f"{section!r} is no section; there are: {SUMMARY}, {', '.join(job.report)}")
    found = job.report[section]
    return {section: page(found, offset, limit) if isinstance(found, list) else trimmed(found)}


def summary(job: OpenJob) -> Answer:
    """The verdict with its proof, the job, and what was read."""
    found = job.report
    coverage = found["coverage"]
    counts = Counter(state["status"] for state in found["ranks"])
    return {
        "verdict": trimmed(found["verdict"]),
        "proof": cited(job.analysis.report.verdict.first_evidence),
        "job": {key: value for key, value in found["job"].items() if value is not None},
        "coverage": {key: coverage[key] for key in ("files", "lines", "bytes", "ranks_expected", "ranks_seen")},
        "unread": trimmed(coverage["files_unread"]),
        "ranks_by_status": dict(counts),
        "chain": [{"time": step["time"], "what": step["what"]} for step in found["chain"]],
        "recommendations": trimmed([{"side": r["side"], "what": r["what"]} for r in found["recommendations"]]),
        "verification": trimmed(found["verification"]),
    }


def ranks(job: OpenJob, chosen: str = "odd", offset: int = 0, limit: int = PAGE) -> Answer:
    """Ranks by `odd`, `culprits`, `all`, a status, a host, or numbers as in `0-7,57`."""
    states = job.view.states
    found = [states[n] for n in _chosen(job, chosen) if n in states]
    return {"chosen": chosen} | page(found, offset, limit, lambda state: _rank_row(job, state))


def _chosen(job: OpenJob, chosen: str) -> list[int]:
    view = job.view
    if chosen in ("odd", "culprits", "all"):
        named = {"odd": view.outliers, "culprits": view.report.verdict.culprit_ranks, "all": view.ranks}
        return list(dict.fromkeys(named[chosen]))
    if re.fullmatch(r"\d{1,7}(?:-\d{1,7})?(?:,\d{1,7}(?:-\d{1,7})?){0,200}", chosen):
        spans = [part.partition("-") for part in chosen.split(",")]
        return [n for n in view.ranks if any(int(a) <= n <= int(b or a) for a, _, b in spans)]
    found = [state.rank for state in view.report.ranks if chosen in (state.status, state.role, state.host)]
    if not found:
        raise NotAnswerable(f"no rank is {chosen!r}: say odd, culprits, all, a status, a host, or numbers as 0-7,57")
    return found


def _rank_row(job: OpenJob, state: RankState) -> Answer:
    proof = job.view.proof(state.rank)
    row = {"rank": state.rank, "host": state.host, "status": state.status, "role": state.role}
    return row | {"last_step": state.last_step, "says_most": cited(proof)}


def rank(job: OpenJob, number: int) -> Answer:
    """All the report has about one rank, and the lines in which others speak of it."""
    found = next((state for state in job.report["ranks"] if state["rank"] == number), None)
    if found is None:
        expected = number in job.view.ranks
        why = "left no trace in these files" if expected else "is no rank of this job"
        raise NotAnswerable(f"rank {number} {why}")
    about = [(why, e) for why, e in cited_lines(job.analysis.report) if e.rank == number]
    lines = [{"why": why} | (cited(e) or {}) for why, e in about]
    return {"rank": trimmed(found), "says_most": cited(job.view.proof(number)), "cited": trimmed(lines)}


def lines(job: OpenJob, file: str, first: int, last: int | None = None) -> Answer:
    """Lines of a file by number, both ends included."""
    from logtui.tui.answers.paging import MOST

    log = job.file(file)
    begin = max(1, first)
    count = max(1, min((last or begin + PAGE - 1) - begin + 1, MOST))
    texts = job.case.lines(log.index, begin, count)
    shown = [{"at": f"{file}:{begin + n}", "text": trimmed(text)} for n, text in enumerate(texts)]
    return {"file": file, "lines": shown, "next": begin + count if len(texts) == count else None}


def timeline(
    job: OpenJob, since: str = "", until: str = "", source: str = "", offset: int = 0, limit: int = PAGE
) -> Answer:
    """The lines that matter, in order."""
    begin, end = _time(job, since), _time(job, until)
    events = [
        event
        for event in job.view.events
        if (not source or event.source == source)
        and (begin is None or (event.time is not None and event.time >= begin))
        and (end is None or (event.time is not None and event.time <= end))
    ]
    sources = dict(Counter(event.source for event in job.view.events))
    return {"sources": sources} | page(events, offset, limit, _event)


def _event(event: TimelineEvent) -> Answer:
    row = {"time": event.iso_time, "time_from": event.time_from, "source": event.source, "rank": event.rank}
    return row | {"what": event.what, "at": f"{event.file}:{event.line}"}


def _time(job: OpenJob, typed: str) -> float | None:
    """A time as people type it, `15:42`, `2026-02-24T15:42:03`, `-10m` before it went wrong; None for an empty one."""
    if not typed.strip():
        return None
    found = read_time(re.sub(r"(?<=\d)T(?=\d)|[+-]00:00$", " ", typed.strip()), job.moment or 0.0)
    if found is None:
        raise NotAnswerable(f"{typed!r} is no time: 15:42, 15:42:03, 02-24 15:42, 2026-02-24T15:42:03, -10m, +1h")
    return found


def around(job: OpenJob, time: str = "") -> Answer:
    """What happened just before and after a time, or when it went wrong; what the culprits wrote then."""
    moment = _time(job, time) if time else job.moment
    if moment is None:
        raise NotAnswerable("nothing in these files is dated: ask for lines by number")
    dated = [event for event in job.view.events if event.time is not None]
    at = next((n for n, event in enumerate(dated) if (event.time or 0.0) >= moment), len(dated))
    near = dated[max(0, at - NEAR_EVENTS) : at + NEAR_EVENTS]
    culprits = job.analysis.report.verdict.culprit_ranks[:MOST_RANKS]
    wrote = {str(n): _near(lines_of_rank(job.view, n, moment), moment) for n in culprits}
    return {"time": iso(moment), "events": [_event(event) for event in near], "culprits_wrote": wrote}


def _near(found: list[TimedLine], moment: float) -> list[Any]:
    at = next((n for n, line in enumerate(found) if line.time >= moment), len(found))
    return [_timed(line) for line in found[max(0, at - NEAR_LINES) : at + NEAR_LINES]]


def _timed(line: TimedLine | None) -> Any:
    return trimmed({"at": f"{line.file}:{line.line}", "text": line.text}) if line else None


def compare(job: OpenJob, left: int, right: int, time: str = "", limit: int = PAGE) -> Answer:
    """What two ranks wrote at the same times, round a time or when it went wrong."""
    moment = _time(job, time) if time else job.moment
    if moment is None:
        raise NotAnswerable("nothing in these files is dated")
    pairs = aligned(*(lines_of_rank(job.view, n, moment) for n in (left, right)))
    if not pairs:
        raise NotAnswerable(f"neither rank {left} nor rank {right} has dated lines of its own")
    at = next((n for n, pair in enumerate(pairs) if pair.time >= moment), len(pairs))
    first = max(0, at - limit // 2)
    return {"time": iso(moment), "left": left, "right": right} | page(pairs, first, limit, _pair)


def _pair(pair: Pair) -> Answer:
    return {"time": iso(pair.time), "left": _timed(pair.left), "right": _timed(pair.right)}


def verify(job: OpenJob, saved: str = "") -> Answer:
    """Whether every line that a report cites still says so: of a saved report, else of this one."""
    if not saved:
        found = list({e.place: e for _, e in cited_lines(job.analysis.report)}.values())
        bad = [e.place for e in found if not still_says(job.case, e)]
        return {"checked": len(found), "failed": trimmed(bad)}
    path = job.confinement.inside(saved)
    try:
        told = citations(_small(path))
    except (OSError, ValueError) as error:
        raise NotAnswerable(f"{saved}: {error}") from error
    gone = [{"at": e.place, "why": why} for e, why in drifted(job.case, told)]
    return {"checked": len(told), "failed": trimmed(gone)}


def _small(path: Path) -> Path:
    if not path.is_file() or path.stat().st_size > REPORT_BYTES:
        raise ValueError("no report that logtui wrote")
    return path


def files(job: OpenJob) -> Iterator[Answer]:
    """The files that were read."""
    yield from ({"file": f.name, "kind": f.kind.value, "bytes": f.size} for f in job.case.files)

"""The report as markdown that reads well in GitHub and in a chat window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from logtui.diagnosis.attempts.texts import section as _attempts
from logtui.diagnosis.marks import Mark
from logtui.diagnosis.marks import section as marks_section
from logtui.diagnosis.mermaid import timeline as mermaid_timeline
from logtui.diagnosis.odd_lines.texts import section as _odd_lines
from logtui.diagnosis.pace.texts import section as _pace
from logtui.diagnosis.quoting import cite as _cite
from logtui.diagnosis.quoting import code_free as _code_free
from logtui.diagnosis.quoting import quote as _quote
from logtui.diagnosis.ranges import ranges
from logtui.diagnosis.report import Evidence, RankState, Report, TimelineEvent
from logtui.diagnosis.storage_markdown import DaemonClock, storage_section
from logtui.diagnosis.witness_texts import section as _witnesses
from logtui.parsers.stamp import iso

TIMELINE_ROWS = 80
GLYPHS = {"high": "●", "medium": "◐", "low": "○"}


def render(report: Report, marks: Sequence[Mark] = ()) -> str:
    """Job, verdict, root cause chain, the user's marks, timeline, ranks, key files, recommendations, coverage."""
    sections: tuple[tuple[str, Callable[[Report], Iterable[str]]], ...] = (
        ("Verdict", _verdict),
        ("Job", _job),
        ("Attempts", _attempts),
        ("Root cause chain", _chain),
        ("Marks", lambda _: marks_section(marks)),
        ("Timeline", _timeline),
        ("Ranks", _ranks),
        ("Witnesses", _witnesses),
        ("Pace", _pace),
        ("Storage", storage_section),
        ("Loud lines that are not the cause", _symptoms),
        ("Odd lines", _odd_lines),
        ("Counts", _counts),
        ("Key files", _key_files),
        ("Recommendations", _recommendations),
        ("What else was considered", _runners_up),
        ("Coverage", _coverage),
        ("Verification", _verification),
        ("Conclusions that changed", _revisions),
    )
    out = [f"# {_code_free(report.verdict.title)}", ""]
    if report.provisional:
        out += [f"> Provisional: {report.coverage.share_read:.0%} of the bytes read so far.", ""]
    for title, section in sections:
        body = list(section(report))
        if body:
            out += [f"## {title}", "", *body, ""]
    return "\n".join(out).rstrip() + "\n"


def _verdict(r: Report) -> Iterable[str]:
    v = r.verdict
    yield f"- **Class**: `{v.cls}`, confidence {GLYPHS.get(v.confidence, '')} **{v.confidence}**"
    if v.culprit_ranks:
        yield f"- **Culprit**: rank {ranges(v.culprit_ranks)}" + (
            f" on {', '.join(v.culprit_hosts)}" if v.culprit_hosts else ""
        )
    elif v.culprit_hosts:
        yield f"- **Culprit host**: {', '.join(v.culprit_hosts)}"
    if v.first_evidence:
        yield f"- **First evidence**: {_cite(v.first_evidence)} {_quote(v.first_evidence.text)}"
    for label, lines in (("For it", v.supporting), ("Against it", v.refuting)):
        for e in lines[:6]:
            yield f"- {label}: {_cite(e)} {_quote(e.text)}"
    for what in v.missing:
        yield f"- **Missing**: {what}"


def _job(r: Report) -> Iterable[str]:
    j = r.job
    rows: tuple[tuple[str, object], ...] = (
        ("Job", j.id),
        ("Framework", " ".join(x for x in (j.framework, j.framework_version) if x) or None),
        ("PyTorch", j.pytorch),
        ("Launcher", j.launcher),
        ("Scheduler", j.scheduler),
        ("World size", j.world_size),
        ("Nodes", j.nodes),
        ("GPUs per node", j.gpus_per_node),
        ("Started", iso(j.started)),
        ("Ended", iso(j.ended)),
        ("Resumed from", j.resumed_from),
        ("Last step", j.last_step),
        ("Data source", j.data_source),
        ("Attempts", j.attempts if j.attempts > 1 else None),
    )
    known = [(k, v) for k, v in rows if v is not None]
    if known:
        yield "| | |"
        yield "|---|---|"
        for key, value in known:
            yield f"| {key} | {_code_free(str(value))} |"


def _chain(r: Report) -> Iterable[str]:
    daemons = DaemonClock(r)
    for step in r.chain:
        own = daemons.own(step.time, step.evidence[0].file) if step.evidence else ""
        when = f" ({_clock(step.time)}{own})" if step.time is not None else ""
        arrow = "" if step.step == 1 else "↓ "
        yield f"{step.step}. {arrow}{_code_free(step.what)}{when}"
        for e in step.evidence[:3]:
            yield f"   - {_cite(e)} {_quote(e.text)}"


def _clock(time: float | None) -> str:
    text = iso(time)
    return text.replace("T", " ") if text else "–"


def _timeline(r: Report) -> Iterable[str]:
    if not r.timeline:
        return
    yield from mermaid_timeline(r)
    yield "| Time | Source | Rank | What | Line |"
    yield "|---|---|---|---|---|"
    daemons = DaemonClock(r)
    for event in _shortened(r.timeline):
        if isinstance(event, int):
            yield f"| … | | | {event} more events | |"
            continue
        rank = "" if event.rank is None else str(event.rank)
        when, place = _clock(event.time) + daemons.own(event.time, event.file), f"`{event.file}:{event.line}`"
        yield f"| {when} | {event.source} | {rank} | {_quote(event.what)} | {place} |"


def _shortened(events: tuple[TimelineEvent, ...]) -> Iterable[TimelineEvent | int]:
    if len(events) <= TIMELINE_ROWS:
        yield from events
        return
    half = TIMELINE_ROWS // 2
    yield from events[:half]
    yield len(events) - 2 * half
    yield from events[-half:]


def _ranks(r: Report) -> Iterable[str]:
    if not r.ranks:
        return
    yield "| Ranks | Status | Role | Group: enqueued / completed | Last words |"
    yield "|---|---|---|---|---|"
    folds: dict[tuple[str, str, str], list[RankState]] = {}
    for rank in r.ranks:
        folds.setdefault((rank.status, rank.role, _state(rank)), []).append(rank)
    for (status, role, state), members in sorted(folds.items(), key=lambda kv: (len(kv[1]), kv[1][0].rank))[:40]:
        words = members[0].last_words
        last = f"`{words.place}` {_quote(words.text[:90])}" if words else ""
        yield f"| {ranges(m.rank for m in members)} ({len(members)}) | {status} | {role} | {state} | {last} |"


def _state(rank: RankState) -> str:
    parts = []
    for g in rank.groups:
        if g.enqueued is None and g.completed is None and g.stuck_on is None:
            continue
        stuck = f" stuck on {g.stuck_on.op} #{g.stuck_on.seq}" if g.stuck_on and g.stuck_on.op else ""
        parts.append(f"{_code_free(g.desc or g.group)}: {_number(g.enqueued)} / {_number(g.completed)}{stuck}")
    return "; ".join(parts[:3])


def _number(value: int | None) -> str:
    return "?" if value is None else str(value)


def _symptoms(r: Report) -> Iterable[str]:
    for s in r.symptoms:
        first = f": {_cite(s.evidence[0])} {_quote(s.evidence[0].text)}" if s.evidence else ""
        yield f"- {_code_free(s.what)}{first}"


def _counts(r: Report) -> Iterable[str]:
    shown = [c for c in r.counts if c.retry_max is not None or not c.noise or c.total >= 5][:20]
    if not shown:
        return
    yield "| Pattern | Total | Files | Ranks | Retry | |"
    yield "|---|---|---|---|---|---|"
    for c in shown:
        retry = "" if c.retry_max is None else f"{c.retry_max}/{c.retry_of or '?'}{' exhausted' if c.exhausted else ''}"
        noise = "noise" if c.noise else ""
        yield f"| {c.pattern} | {c.total} | {len(c.by_file)} | {len(c.by_rank)} | {retry} | {noise} |"


def _key_files(r: Report) -> Iterable[str]:
    cited: dict[str, list[int]] = {}
    for e in _cited(r):
        cited.setdefault(e.file, []).append(e.line)
    for file, lines in sorted(cited.items(), key=lambda kv: -len(kv[1]))[:12]:
        shown = ", ".join(str(n) for n in sorted(set(lines))[:8])
        yield f"- `{file}`: lines {shown}"


def _cited(r: Report) -> Iterable[Evidence]:
    if r.verdict.first_evidence:
        yield r.verdict.first_evidence
    for step in r.chain:
        yield from step.evidence


def _recommendations(r: Report) -> Iterable[str]:
    for x in r.recommendations:
        because = " — " + ", ".join(_cite(e) for e in x.because[:3]) if x.because else ""
        yield f"- **{x.side}**: {_code_free(x.what)}{because}"


def _runners_up(r: Report) -> Iterable[str]:
    for x in r.verdict.runners_up:
        cite = f" ({_cite(x.evidence[0])})" if x.evidence else ""
        yield f"- `{x.cls}` {_code_free(x.title)}{cite}: {_code_free(x.why_not)}"


def _coverage(r: Report) -> Iterable[str]:
    c = r.coverage
    unparsed = f"{c.lines_unparsed:,} lines match no declared format"
    yield f"- {c.files} files, {c.bytes:,} bytes, {c.lines:,} lines; {unparsed}"
    if c.ranks_expected is not None:
        source = f" (`{c.ranks_expected_from.place}`)" if c.ranks_expected_from else ""
        yield f"- {c.ranks_seen} of {c.ranks_expected} ranks seen{source}"
    else:
        yield f"- {c.ranks_seen} ranks seen; how many to expect is not established"
    if c.ranks_missing:
        yield f"- **Ranks without any line**: {ranges(c.ranks_missing)}"
    if c.nodes_missing:
        yield f"- **Nodes without a file**: {', '.join(c.nodes_missing[:20])}"
    if c.site_formats:
        yield f"- formats of this site: {', '.join(c.site_formats)}"
    for file, why in c.files_unread[:20]:
        yield f"- not read: `{file}` ({why})"
    if len(c.files_unread) > 20:
        yield f"- … and {len(c.files_unread) - 20} more files not read"


def _verification(r: Report) -> Iterable[str]:
    v = r.verification
    yield f"- {v.checked} cited lines read again from disk, {v.checked - len(v.failed)} still say it"
    for failed in v.failed:
        yield f"- **changed since**: `{failed}`"


def _revisions(r: Report) -> Iterable[str]:
    for x in r.revisions:
        cite = f" ({_cite(x.because)})" if x.because else ""
        yield f"- was: {_code_free(x.was)}; now: {_code_free(x.now)}{cite}"

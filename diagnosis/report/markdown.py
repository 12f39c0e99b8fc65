"""The report as markdown that reads well in GitHub and in a chat window.

Log text and places cannot break out of a table, a code span or a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from logtui.diagnosis.model.analyses import AttemptSummary, OddLine, OddLines, PhaseEnd
from logtui.diagnosis.model.evidence import Evidence, MarkedLine
from logtui.diagnosis.model.report import ChainStep, JobFacts, RankState, Report, TimelineEvent
from logtui.diagnosis.ranges import named_ranks, ranges
from logtui.diagnosis.report.code_spans import code, code_free
from logtui.diagnosis.report.secrets import mask
from logtui.diagnosis.report.storage_markdown import DaemonClock, storage_section
from logtui.parsers.prefix.stamp import iso

TEXT_WIDTH = 220
TIMELINE_ROWS = 80
ODD_ROWS, UNSAID_ROWS, SILENT_ROWS = 15, 8, 8
"""Of each kind of odd lines; JSON and the app have more."""
MERMAID_EVENTS = 12
COUNTED = 4
"""Files, and ranks, with the most lines of a kind, that are named."""
_UNSAFE = re.compile(r"[^\w .,#+()=%/-]+")
"""Colons part the fields of an entry of a diagram, semicolons end it; quotes and brackets may open something."""
GLYPHS = {"high": "●", "medium": "◐", "low": "○"}


def render(report: Report, marks: Sequence[MarkedLine] = ()) -> str:
    """Job, verdict, root cause chain, the user's marks, timeline, ranks, key files, recommendations, coverage."""
    sections: tuple[tuple[str, Callable[[Report], Iterable[str]]], ...] = (
        ("Verdict", _verdict),
        ("Job", _job),
        ("Attempts", _attempts),
        ("Root cause chain", _chain),
        ("Marks", lambda _: _marks(marks)),
        ("Timeline", _timeline),
        ("Ranks", _ranks),
        ("Witnesses", _witnesses),
        ("Pace", _pace),
        ("Storage", storage_section),
        ("Loud lines that are not the cause", _symptoms),
        ("Lines that the verdict does not explain", _unexplained),
        ("Odd lines", _odd_lines),
        ("Error types", _errors),
        ("Counts", _counts),
        ("Key files", _key_files),
        ("Recommendations", _recommendations),
        ("What else was considered", _runners_up),
        ("Coverage", _coverage),
        ("Verification", _verification),
        ("Conclusions that changed", _revisions),
    )
    out = [f"# {code_free(report.verdict.title)}", ""]
    if report.provisional:
        out += [f"> Provisional: {report.coverage.share_read:.0%} of the bytes read so far.", ""]
    for title, section in sections:
        body = list(section(report))
        if body:
            out += [f"## {title}", "", *body, ""]
    text, found = mask("\n".join(out))
    hidden = ", ".join(f"{count} {kind}" for kind, count in sorted(found.items()))
    return text.rstrip() + (f"\n\nMasked in this report: {hidden}.\n" if found else "\n")


def _verdict(r: Report) -> Iterable[str]:
    v = r.verdict
    yield f"- **Class**: `{v.cls}`, confidence {GLYPHS.get(v.confidence, '')} **{v.confidence}**"
    if v.culprit_ranks:
        yield f"- **Culprit**: rank {ranges(v.culprit_ranks)}" + (
            f" on {_names(v.culprit_hosts)}" if v.culprit_hosts else ""
        )
    elif v.culprit_hosts:
        yield f"- **Culprit host**: {_names(v.culprit_hosts)}"
    if v.first_evidence:
        first = v.first_evidence
        when = f" ({_clock(first.time, first.inherited)})" if first.time is not None else ""
        yield f"- **First evidence**: {cite(first)} {quote(first.text)}{when}"
    for label, lines in (("For it", v.supporting), ("Against it", v.refuting)):
        for e in lines[:6]:
            yield f"- {label}: {cite(e)} {quote(e.text)}"
    for x in v.meanings:
        yield f"- What that means: {code_free(x.what)} — {', '.join(cite(e) for e in x.evidence)}"
    for what in v.missing:
        yield f"- **Missing**: {code_free(what)}"


def _names(hosts: Sequence[str]) -> str:
    return code_free(", ".join(hosts))


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
        ("Does", j.activity),
        ("Parallel layout", _layout(j)),
        ("Resumed from", j.resumed_from or {True: "a checkpoint", False: "not resumed", None: "unknown"}[j.resumed]),
        ("Last step", j.last_step),
        ("Phases", phase_words(r.phases) or None),
        ("Data source", j.data_source),
        ("Attempts", j.attempts if j.attempts > 1 else None),
    )
    known = [(k, v) for k, v in rows if v is not None]
    if known:
        yield "| | |"
        yield "|---|---|"
        for key, value in known:
            yield f"| {key} | {code_free(str(value))} |"


def _layout(job: JobFacts) -> str | None:
    """`TP 8 × PP 2`; and a word where tensor parallelism, which every layer waits for, crosses the network."""
    sizes = " × ".join(f"{name} {size}" for name, size in job.parallel.items())
    across = f"; a TP group lies over {job.tensor_nodes} nodes: every layer waits for the network between them"
    return (sizes + (across if job.tensor_nodes > 1 else "")) or None


def _attempts(report: Report) -> Iterator[str]:
    """Nothing for a single attempt."""
    found = report.history
    if found is None:
        return
    for r in found.recurring:
        yield f"- **{code_free(r.what)}**" + "".join(f", {cite(e)}" for e in r.evidence)
    for a in found.attempts:
        yield f"- attempt {a.number}: `{a.cls}` {code_free(a.title)}{_blamed(a)} ({a.confidence})"
        if a.phases:
            yield f"  - {phase_words(a.phases)}"
        if a.begins is not None:
            yield f"  - begins: {cite(a.begins)} {quote(a.begins.text)}"
        if a.evidence is not None:
            yield f"  - first evidence: {cite(a.evidence)} {quote(a.evidence.text)}"
    skipped = report.job.attempts - len(found.attempts)
    if found.attempts and skipped > 0:
        yield f"- {skipped} earlier attempts were not diagnosed"


def phase_words(phases: Sequence[PhaseEnd]) -> str:
    """`set-up well, training failed`."""
    return ", ".join(f"{p.phase} {p.ended}" for p in phases)


def _blamed(a: AttemptSummary) -> str:
    who = named_ranks(a.culprit_ranks) if a.culprit_ranks else ""
    where = f" on {_names(a.culprit_hosts)}" if a.culprit_hosts else ""
    return f", {who}{where}" if who or where else ""


def _chain(r: Report) -> Iterable[str]:
    daemons = DaemonClock(r)
    for step in r.chain:
        own = daemons.own(step.time, step.evidence[0].file) if step.evidence else ""
        when = f" ({_clock(step.time, step.inherited)}{own})" if step.time is not None else ""
        arrow = "" if step.step == 1 else "↓ "
        yield f"{step.step}. {arrow}{code_free(step.what)}{when}"
        for e in step.evidence[:3]:
            yield f"   - {cite(e)} {quote(e.text)}"


def _clock(time: float | None, inherited: bool = False) -> str:
    """`~` before a neighbouring line's time."""
    text = iso(time)
    return ("~" if inherited else "") + text.replace("T", " ") if text else "–"


def _marks(marks: Iterable[MarkedLine]) -> Iterator[str]:
    """A bullet per mark."""
    for mark in marks:
        note = f" — {code_free(mark.note)}" if mark.note else ""
        yield f"- {cite(mark.evidence)} {quote(mark.text)}{note}"


def _timeline(r: Report) -> Iterable[str]:
    if not r.timeline:
        return
    yield from _mermaid(r)
    if any(event.inherited for event in r.timeline):
        yield "`~` before a time: the line has none, a neighbour's is given."
        yield ""
    yield "| Time | Source | Rank | What | Line |"
    yield "|---|---|---|---|---|"
    daemons = DaemonClock(r)
    for event in _shortened(r.timeline):
        if isinstance(event, int):
            yield f"| … | | | {event} more events | |"
            continue
        rank = "" if event.rank is None else str(event.rank)
        when, place = (
            _clock(event.time, event.inherited) + daemons.own(event.time, event.file),
            code(f"{event.file}:{event.line}", in_table=True),
        )
        yield f"| {when} | {event.source} | {rank} | {quote(event.what)} | {place} |"


def _mermaid(report: Report) -> Iterator[str]:
    """The chain on a time axis, in a fenced block that some hosts draw; nothing with fewer than two dated steps."""
    steps = [(time, step) for step in report.chain if (time := _time_of(step)) is not None][:MERMAID_EVENTS]
    if len(steps) < 2:
        return
    start, end = report.job.started, report.job.ended
    yield "```mermaid"
    yield "timeline"
    yield f"    title {_plain(report.verdict.title)}"
    if start is not None and start < steps[0][0]:
        yield f"    {_time_of_day(start)} : job started"
    for time, step in steps:
        yield f"    {'~' if step.inherited else ''}{_time_of_day(time)} : {_entry(step)}"
    if end is not None and end > steps[-1][0]:
        yield f"    {_time_of_day(end)} : job ended"
    yield "```"
    yield ""


def _time_of(step: ChainStep) -> float | None:
    return step.time if step.time is not None or not step.evidence else step.evidence[0].time


def _entry(step: ChainStep) -> str:
    where = f" ({_plain(step.evidence[0].place)})" if step.evidence else ""
    return f"{_plain(step.what)}{where}"


def _plain(text: str) -> str:
    return " ".join(_UNSAFE.sub(" ", text).split())[:120] or "?"


def _time_of_day(time: float) -> str:
    """Time of day, with signs that part no fields."""
    return (iso(time) or "?")[11:19].replace(":", ".")


def _shortened(events: tuple[TimelineEvent, ...]) -> Iterable[TimelineEvent | int]:
    """The first and the last events, and between them the proofs; numbers are those of events left out."""
    half, left = TIMELINE_ROWS // 2, 0
    for n, event in enumerate(events):
        if len(events) <= TIMELINE_ROWS or not half <= n < len(events) - half or event.proof:
            if left:
                yield left
            left = 0
            yield event
        else:
            left += 1


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
        last = f"{code(words.place, in_table=True)} {quote(words.text[:90])}" if words else ""
        yield f"| {ranges(m.rank for m in members)} ({len(members)}) | {status} | {role} | {state} | {last} |"


def _state(rank: RankState) -> str:
    parts = []
    for g in rank.groups:
        if g.enqueued is None and g.completed is None and g.stuck_on is None:
            continue
        stuck = f" stuck on {g.stuck_on.op} #{g.stuck_on.seq}" if g.stuck_on and g.stuck_on.op else ""
        parts.append(f"{code_free(g.desc or g.group)}: {_number(g.enqueued)} / {_number(g.completed)}{stuck}")
    return "; ".join(parts[:3])


def _number(value: int | None) -> str:
    return "?" if value is None else str(value)


def _witnesses(report: Report) -> Iterator[str]:
    """Logs, dumps and RAS snapshots side by side."""
    found = report.witnesses
    for said in found.testimonies if found else ():
        yield f"- **{said.witness}**: {code_free(said.what)}" + _first_cited(said.evidence)
    for against in found.disagreements if found else ():
        yield f"- **They disagree**: {code_free(against.what)}" + _first_cited(against.evidence)


def _first_cited(evidence: tuple[Evidence, ...]) -> str:
    return f": {cite(evidence[0])} {quote(evidence[0].text)}" if evidence else ""


def _pace(report: Report) -> Iterator[str]:
    """Nothing where training kept its pace and no rank is slow."""
    steps = report.steps
    if steps is None:
        return
    for span in steps.slow:
        place = f": {cite(span.evidence)}" if span.evidence else ""
        times = f"{span.ratio + 1:.2f} × the best (ratio {span.ratio:.2f})"
        yield f"- steps {span.from_step}–{span.to_step} took {times}{place}"
    for change in steps.pace.changes if steps.pace else ():
        yield f"- {change.what}: {cite(change.evidence)} {quote(change.evidence.text)}"
        yield from (f"  - just before: {cite(e)} {quote(e.text)}" for e in change.nearby)
    for one in steps.pace.slow_ranks if steps.pace else ():
        yield f"- rank {one.rank} {one.what}: {cite(one.evidence)} {quote(one.evidence.text)}"


def _symptoms(r: Report) -> Iterable[str]:
    for s in r.symptoms:
        first = f": {cite(s.evidence[0])} {quote(s.evidence[0].text)}" if s.evidence else ""
        meaning = f" — {code_free(s.meaning)}" if s.meaning else ""
        yield f"- {code_free(s.what)}{meaning}{first}"


def _unexplained(r: Report) -> Iterator[str]:
    """Lines that look fatal and are neither cause nor consequence nor survived."""
    for row in r.explained:
        if row.verdict == "unexplained":
            often = f" ({row.count} times)" if row.count > 1 else ""
            yield f"- {cite(row.evidence)} {quote(row.evidence.text)}{often}: {code_free(row.why)}"


def _odd_lines(report: Report) -> Iterator[str]:
    """Nothing where nothing stands out, or where the job is well and no healthy run was given to compare with."""
    found = report.odd_lines
    if found is None or (report.verdict.cls == "healthy" and found.baseline is None):
        return
    rows = [*_not_in_baseline(found), *_odd_rows(found), *_unsaid(found), *_silent(found)]
    if rows:
        yield f"No rule stands behind these; they are what comparing lines shows ({found.looked_at})."
        yield ""
        yield from rows


def _odd_rows(found: OddLines) -> Iterator[str]:
    for o in found.odd[:ODD_ROWS]:
        yield f"- {_writers(o)}: {cite(o.evidence)} {quote(o.evidence.text)} ({o.why}{_more(o)})"


def _not_in_baseline(found: OddLines) -> Iterator[str]:
    if found.baseline is not None and not found.new:
        yield f"- nothing that {quote(found.baseline)} does not say too"
    for o in found.new[:ODD_ROWS]:
        line = f"{cite(o.evidence)} {quote(o.evidence.text)}{_more(o)}"
        yield f"- not in {quote(found.baseline or '')}, {_writers(o)}: {line}"


def _writers(o: OddLine) -> str:
    names = ", ".join(o.writers[:3])
    return f"{names} and {o.said_by - 3} more" if o.said_by > 3 else names


def _more(o: OddLine) -> str:
    times = f", {o.count} times" if o.count > 1 else ""
    return f"{times}, with {o.folded} more kinds around it" if o.folded else times


def _unsaid(found: OddLines) -> Iterator[str]:
    for u in found.unsaid[:UNSAID_ROWS]:
        when = f"stopped saying {u.early_s:.0f} s before the others" if u.early_s is not None else "never said"
        yield f"- rank {u.rank} {when}: {cite(u.evidence)} {quote(u.evidence.text)}"


def _silent(found: OddLines) -> Iterator[str]:
    for w in found.last_words[:SILENT_ROWS]:
        silent = f"silent for {w.silent_s:.0f} s at the end" if w.silent_s is not None else "last words"
        yield f"- rank {w.rank}, {silent}: {cite(w.evidence)} {quote(w.evidence.text)}"


def _errors(r: Report) -> Iterable[str]:
    if not r.errors:
        return
    yield "| Type | Total | Ranks | First |"
    yield "|---|---|---|---|"
    for e in r.errors[:20]:
        ranks = f"{len(e.ranks)}: {ranges(e.ranks)}" if e.ranks else ""
        yield f"| {code_free(e.name)} | {e.total} | {ranks} | {cite(e.evidence)} |"


def _counts(r: Report) -> Iterable[str]:
    shown = [c for c in r.counts if c.retry_max is not None or not c.noise or c.total >= 5][:20]
    if not shown:
        return
    yield "| Pattern | Total | Files | Ranks | Retry | |"
    yield "|---|---|---|---|---|---|"
    for c in shown:
        retry = "" if c.retry_max is None else f"{c.retry_max}/{c.retry_of or '?'}{' exhausted' if c.exhausted else ''}"
        noise = "noise" if c.noise else ""
        files, ranks = _most(c.by_file, "`{}`"), _most(c.by_rank, "rank {}")
        yield f"| {c.pattern} | {c.total} | {files} | {ranks} | {retry} | {noise} |"


def _most(counts: Mapping[str, int] | Mapping[int, int], name: str) -> str:
    """`2: `a.out` 12, `b.out` 3`: how many, and those with the most."""
    ordered = sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))
    shown = ", ".join(f"{name.format(key)} {n}" for key, n in ordered[:COUNTED])
    return f"{len(counts)}: {shown}{', …' if len(counts) > COUNTED else ''}" if counts else ""


def _key_files(r: Report) -> Iterable[str]:
    cited: dict[str, list[int]] = {}
    for e in _cited(r):
        cited.setdefault(e.file, []).append(e.line)
    for file, lines in sorted(cited.items(), key=lambda kv: -len(kv[1]))[:12]:
        shown = ", ".join(str(n) for n in sorted(set(lines))[:8])
        yield f"- {code(file)}: lines {shown}"


def _cited(r: Report) -> Iterable[Evidence]:
    if r.verdict.first_evidence:
        yield r.verdict.first_evidence
    for step in r.chain:
        yield from step.evidence


def _recommendations(r: Report) -> Iterable[str]:
    for x in r.recommendations:
        because = " — " + ", ".join(cite(e) for e in x.because[:3]) if x.because else ""
        yield f"- **{x.side}**: {code_free(x.what)}{because}"


def _runners_up(r: Report) -> Iterable[str]:
    for x in r.verdict.runners_up:
        place = f" ({cite(x.evidence[0])})" if x.evidence else ""
        yield f"- `{x.cls}` {code_free(x.title)}{place}: {code_free(x.why_not)}"


def _coverage(r: Report) -> Iterable[str]:
    c = r.coverage
    unparsed = f"{c.lines_unparsed:,} lines match no declared format"
    yield f"- {c.files} files, {c.bytes:,} bytes, {c.lines:,} lines; {unparsed}"
    if c.understood:
        yield f"- of the lines looked at: {', '.join(f'{u.share:.0%} {u.what}' for u in c.understood)}"
    if c.ranks_expected is not None:
        source = f" ({cite(c.ranks_expected_from)})" if c.ranks_expected_from else ""
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
        yield f"- not read: {code(file)} ({code_free(why)})"
    if len(c.files_unread) > 20:
        yield f"- … and {len(c.files_unread) - 20} more files not read"


def _verification(r: Report) -> Iterable[str]:
    v = r.verification
    yield f"- {v.checked} cited lines read again from disk, {v.checked - len(v.failed)} still say it"
    for failed in v.failed:
        yield f"- **changed since**: {code(failed)}"


def _revisions(r: Report) -> Iterable[str]:
    for x in r.revisions:
        place = f" ({cite(x.because)})" if x.because else ""
        yield f"- was: {code_free(x.was)}; now: {code_free(x.now)}{place}"


def quote(text: str) -> str:
    """Log text as inline code that cannot break out of a table or a code span."""
    plain = plain_quote(text)
    return f"`{plain}`" if plain else ""


def plain_quote(text: str, width: int = TEXT_WIDTH) -> str:
    """Log text as a report quotes it: blanks folded, signs of markdown replaced, cut at `width` (0: not cut)."""
    text = " ".join(text.split()).replace("`", "'").replace("|", "¦")
    return text[: width - 1] + "…" if width and len(text) > width else text


def cite(e: Evidence) -> str:
    """`file:line`."""
    return code(e.place)

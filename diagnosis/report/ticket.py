"""The first screen of the markdown report, all that a ticket needs: verdict, cited lines, chain, what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import ReadWindow, Recommendation, Report
from logtui.diagnosis.ranges import ranges
from logtui.diagnosis.report.quoting import SHORT_WIDTH, cite, clock, code_free, quote
from logtui.diagnosis.report.storage_markdown import DaemonClock

MOST_LINES = 25
STEPS = 5
CITED_BESIDE = 2
"""Lines for the verdict, beside the first evidence."""
PARTS = {
    "storage": "storage",
    "client": "client",
    "training": "training",
    "infrastructure": "infrastructure",
    "hardware": "infrastructure",
}
"""The part of the recommendations, in their order, that each side belongs to."""
GLYPHS = {"high": "●", "medium": "◐", "low": "○"}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where and when a report was made."""

    folder: str
    """The logs that were read, as they were given."""
    written: str
    """The day, as `2026-02-24`."""


def origin_of(paths: Sequence[Path]) -> Origin:
    """Of a report that is made now, from these paths."""
    return Origin(", ".join(str(path) for path in paths), datetime.now().astimezone().strftime("%Y-%m-%d"))


def ticket(r: Report, origin: Origin | None = None) -> list[str]:
    """At most `MOST_LINES` lines of markdown."""
    out = [f"# {code_free(r.verdict.title)}", ""]
    out += [_about(r, origin), "", "## Verdict", *_verdict(r)]
    for title, lines in (("Root cause chain", _chain(r)), ("Recommendations", _to_do(r))):
        if found := list(lines):
            out += ["", f"## {title}", *found]
    return out


def _about(r: Report, origin: Origin | None) -> str:
    """The job, the logs and the version in one line."""
    j = r.job
    size = f"{j.world_size} ranks" + (f" on {j.nodes} nodes" if j.nodes else "") if j.world_size else ""
    span = f"{clock(j.started)} – {clock(j.ended)}" if j.started is not None and j.ended is not None else ""
    job = (f"job {j.id}" if j.id else "", j.framework or "", size, span)
    said = [f"**Provisional: {r.coverage.share_read:.0%} of the bytes read so far**"] if r.provisional else []
    if r.coverage.window:
        said += [f"**Only what was written {window_words(r.coverage.window)}**"]
    said += [code_free(word) for word in job if word]
    said += [f"data: {code_free(j.data_source)}"] if j.data_source else []
    said += [f"logs: {quote(origin.folder)}", origin.written] if origin else []
    return " · ".join([*said, f"logtui {r.version}"])


def window_words(w: ReadWindow) -> str:
    """`from 2026-02-24 15:40:00 up to 2026-02-24 15:50:00`."""
    ends = (("from", w.since), ("up to", w.until))
    return " ".join(f"{word} {clock(time)}" for word, time in ends if time is not None)


def _verdict(r: Report) -> Iterator[str]:
    v = r.verdict
    yield f"- **Class**: `{v.cls}`, confidence {GLYPHS.get(v.confidence, '')} **{v.confidence}**"
    if v.culprit_ranks:
        hosts = f" on {code_free(', '.join(v.culprit_hosts))}" if v.culprit_hosts else ""
        yield f"- **Culprit**: rank {ranges(v.culprit_ranks)}{hosts}"
    elif v.culprit_hosts:
        yield f"- **Culprit host**: {code_free(', '.join(v.culprit_hosts))}"
    first = v.first_evidence
    if first:
        when = f" ({clock(first.time, first.inherited)})" if first.time is not None else ""
        yield f"- **First evidence**: {cite(first)} {quote(first.text, SHORT_WIDTH)}{when}"
    places = {first.place} if first else set()
    yield from _beside("For it", (e for e in v.supporting if e.place not in places), CITED_BESIDE)
    yield from _beside("Against it", v.refuting, 1)
    yield from (f"- **Missing**: {code_free(what)}" for what in v.missing[:1])


def _beside(label: str, lines: Iterable[Evidence], most: int) -> Iterator[str]:
    yield from (f"- {label}: {cite(e)} {quote(e.text, SHORT_WIDTH)}" for e in list(lines)[:most])


def _chain(r: Report) -> Iterator[str]:
    """One line a step; the lines that each rests on stand below."""
    daemons = DaemonClock(r)
    shown = r.chain if len(r.chain) <= STEPS else r.chain[: STEPS - 1]
    for step in shown:
        first = step.evidence[0] if step.evidence else None
        own = daemons.own(step.time, first.file) if first else ""
        when = f" ({clock(step.time, step.inherited)}{own})" if step.time is not None else ""
        place = f" {cite(first)}" if first else ""
        yield f"{step.step}. {'' if step.step == 1 else '↓ '}{code_free(step.what)}{when}{place}"
    if len(shown) < len(r.chain):
        yield f"   … {len(r.chain) - len(shown)} more below"


def _to_do(r: Report) -> Iterator[str]:
    """The first thing to do in each part."""
    for part, found in by_part(r.recommendations).items():
        more = f" (and {len(found) - 1} more, below)" if len(found) > 1 else ""
        yield f"- **{part}**: {to_do(found[0])}{more}"


def by_part(found: Iterable[Recommendation]) -> dict[str, list[Recommendation]]:
    """Storage, client, training, infrastructure: those with something to do, and what."""
    parts: dict[str, list[Recommendation]] = {part: [] for part in PARTS.values()}
    for one in found:
        parts.setdefault(PARTS.get(one.side, one.side), []).append(one)
    return {part: ones for part, ones in parts.items() if ones}


def to_do(one: Recommendation) -> str:
    """What to do, and the lines that call for it."""
    because = " — " + ", ".join(cite(e) for e in one.because[:3]) if one.because else ""
    return f"{code_free(one.what)}{because}"

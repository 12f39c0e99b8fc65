"""The storage side of a case, from daemon logs to a judgement with evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from logtui.diagnosis.aistore.clock import AisClock, derive_clock
from logtui.diagnosis.aistore.counters import counter_view
from logtui.diagnosis.aistore.disks import Saturation, saturations
from logtui.diagnosis.aistore.findings import StorageFindings
from logtui.diagnosis.aistore.given_offset import GivenOffset
from logtui.diagnosis.aistore.judgement import judge
from logtui.diagnosis.aistore.occurrences import Occurrence, occurrences
from logtui.diagnosis.aistore.suspects import Suspect, links
from logtui.diagnosis.aistore.window import Uncovered, Window, choose_window, uncovered, unseen_nodes
from logtui.diagnosis.report import ChainStep, Evidence, TimelineEvent
from logtui.parsers.aistore.ingest import AIS_KINDS, AisLogs, ingest
from logtui.parsers.aistore.reread import disk_loads
from logtui.parsers.case import Case
from logtui.parsers.pattern import Role
from logtui.parsers.stamp import iso

RUN_UP_S = 600.0
"""Disks are looked at this long before the window: what saturates before it matters in it."""
WIDEST_S = 6 * 3600.0
"""Of a longer window only the last part is looked at in detail."""
LISTED = 400


def analyse_storage(
    case: Case,
    window: tuple[float, float] | None = None,
    suspects: Sequence[Suspect] = (),
    *,
    logs: AisLogs | None = None,
    offset: GivenOffset | None = None,
) -> StorageFindings | None:
    """Everything that the AIStore daemons say about a failure; None where the case holds none of their logs.

    `window` is the failure's time span by the workers' clock, `offset` one that the user set.
    `logs` is an earlier reading of the same files, so that a changed window or offset costs no new scan.
    """
    logs = logs if logs is not None else read_logs(case)
    if logs is None or not logs.daemons:
        return None
    clock = derive_clock(case, logs, window[1] if window else None, offset)
    chosen = choose_window(logs, window, clock)
    if chosen is None:
        return None
    chosen = Window(max(chosen.start, chosen.end - WIDEST_S), chosen.end, chosen.how)
    disks = _saturated(logs, chosen)
    views = [counter_view(logs, d, chosen.start, chosen.end) for d in logs.daemons]
    found = occurrences(logs, chosen, disks, views, clock.shift)
    gaps = [g for d in logs.daemons for g in uncovered(d, chosen) if g.why != "down"]
    unseen = unseen_nodes(logs)
    # Without a failure of their own the workers still have a clock that must be known to agree.
    of_job = window is not None or any(f.kind not in AIS_KINDS for f in case.files)
    judgement = judge(logs, found, views, gaps, clock, _missing(logs, gaps, unseen), of_job)
    shown = [o for o in found if o.role is not Role.STATE]
    return StorageFindings(
        logs, chosen, clock, judgement, _chain(shown, clock), _timeline(found, clock), tuple(views), tuple(disks),
        links(case, logs, clock, suspects), tuple(gaps), unseen, tuple(found),
    )  # fmt: skip


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

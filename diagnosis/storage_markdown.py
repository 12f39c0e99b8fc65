"""The storage sections of the markdown report: daemons and files used, clocks, counters, signatures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from logtui.diagnosis.report import Report

COUNTERS = 16
SIGNATURES = 16
FILES = 24

Json = dict[str, Any]


def storage_section(report: Report) -> Iterable[str]:
    """Empty where no daemon logs were given."""
    if report.ais is None:
        return
    ais = cast("Json", report.ais)
    yield from _clock(report, ais)
    yield from _files(ais["daemons"])
    yield from _counters(ais["daemons"])
    yield from _signatures(ais["daemons"])


def _clock(report: Report, ais: Json) -> Iterable[str]:
    verdict, clock = ais["verdict"], ais["clock"]
    yield f"- **Storage is {verdict['standing']}** (confidence {verdict['confidence']}): {verdict['title']}"
    if clock["offset_s"] is None:
        yield f"- Clocks: the offset between workers and daemons is not derivable ({clock['from'] or clock['note']})"
    else:
        places = ", ".join(f"`{e.place}`" for c in report.clocks for e in c.derived_from[:4])
        residual = "" if clock["residual_s"] is None else f", residual {clock['residual_s']:g} s"
        yield (
            f"- Clocks: the daemons' clock is {clock['offset_s'] / 3600:+g} h from the workers' "
            f"({clock['from']}, confidence {clock['confidence']}{residual})" + (f": {places}" if places else "")
        )
    for node in ais["unseen"][:8]:
        yield f"- no log of {node} was given"
    yield ""


def _files(daemons: list[Json]) -> Iterable[str]:
    yield "| Daemon | Role | File | From | To | |"
    yield "|---|---|---|---|---|---|"
    shown = [(d, f) for d in daemons for f in d["files"] if not f["duplicate_of"]]
    for daemon, file in shown[:FILES]:
        start = f"{_plain(file['start'])} ({file['start_from']})"
        end = f"{_plain(file['end'])} ({file['end_from']})"
        mark = "restart" if file["restart"] else ""
        name = daemon["id"] or daemon["host"] or "?"
        yield f"| {name} | {daemon['role']} | `{file['file']}` | {start} | {end} | {mark} |"
    if len(shown) > FILES:
        yield f"| … | | {len(shown) - FILES} more files | | | |"
    yield ""


def _plain(time: str | None) -> str:
    return time.replace("T", " ") if time else "?"


def _counters(daemons: list[Json]) -> Iterable[str]:
    everything = [(d, c) for d in daemons for c in d["counters"]]
    rows = [(d, c) for d, c in everything if c["delta"]]
    if len(rows) < len(everything):
        yield f"{len(everything) - len(rows)} error counters of {len(daemons)} daemons did not move in the window."
        yield ""
    if not rows:
        return
    rows.sort(key=lambda r: (not r[1]["name"].startswith("err."), -abs(r[1]["delta"] or 0)))
    yield "| Daemon | Counter | From | To | Delta | Rate before → in the window | Line |"
    yield "|---|---|---|---|---|---|---|"
    for d, c in rows[:COUNTERS]:
        rate = f"{c['before_per_s']:g} → {c['per_s']:g} /s"
        place = f"`{c['file']}:{c['line']}`"
        yield f"| {d['id']} | {c['name']} | {c['from']} | {c['to']} | {c['delta']} | {rate} | {place} |"
    yield ""


def _signatures(daemons: list[Json]) -> Iterable[str]:
    rows = [(d, s) for d in daemons for s in d["signatures"] if s["in_window"] and s["meaning"] != "noise"]
    for d, s in rows[:SIGNATURES]:
        yield f"- {d['id']}: {s['title']} ({s['meaning']}, {s['count']} times), first at `{s['file']}:{s['line']}`"

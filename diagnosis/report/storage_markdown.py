"""The storage sections of the markdown report: daemons and files used, clocks, counters, signatures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report.code_spans import code
from logtui.diagnosis.storage.clock import ahead_words
from logtui.diagnosis.storage.counters import amount_text
from logtui.parsers.prefix.stamp import iso

COUNTERS = 16
SIGNATURES = 16
SHOWN_TIMES = 2.0
"""A rate that grew by less is not worth a factor."""
FILES = 24

Json = dict[str, Any]


def _at(place: Json, in_table: bool = False) -> str:
    """Where something stands."""
    return code(f"{place['file']}:{place['line']}", in_table)


class DaemonClock:
    """The daemons' own time beside the workers', where the two differ."""

    def __init__(self, report: Report) -> None:
        ais = cast("Json", report.ais or {"daemons": (), "clock": {"offset_s": None}})
        self._files = {f["file"] for d in ais["daemons"] for f in d["files"]}
        self._ahead_s: float = ais["clock"]["offset_s"] or 0.0

    def own(self, time: float | None, file: str) -> str:
        """` = 23:59:20.700 AIS` for a line of a daemon's file; "" for others, and where the clocks agree."""
        if not self._ahead_s or time is None or file not in self._files:
            return ""
        text = iso(time - self._ahead_s)
        return f" = {text[11:]} AIS" if text else ""


def storage_section(report: Report) -> Iterable[str]:
    """Empty where no daemon logs were given."""
    if report.ais is None:
        return
    ais = cast("Json", report.ais)
    yield from _clock(report, ais)
    yield from _files(ais["daemons"])
    yield from _counters(ais["daemons"])
    yield from _signatures(ais["daemons"])
    yield from _unread(ais["daemons"])


def _clock(report: Report, ais: Json) -> Iterable[str]:
    verdict, clock = ais["verdict"], ais["clock"]
    yield f"- **Storage is {verdict['standing']}** (confidence {verdict['confidence']}): {verdict['title']}"
    if clock["offset_s"] is None:
        why = f" ({clock['note']})" if clock["note"] else ""
        yield f"- Clocks: the offset between workers and daemons is not derivable{why}"
    else:
        places = ", ".join(code(e.place) for c in report.clocks for e in c.derived_from[:4])
        residual = "" if clock["residual_s"] is None else f", residual {clock['residual_s']:.3g} s"
        yield (
            f"- Clocks: {ahead_words(clock['offset_s'])} ({clock['from']}, confidence "
            f"{clock['confidence']}{residual})" + (f": {places}" if places else "")
        )
        if clock["note"]:
            yield f"- Clocks: {clock['note']}"
    for node in ais["unseen"][:8]:
        yield f"- no log of {node} was given"
    yield ""


def _files(daemons: list[Json]) -> Iterable[str]:
    yield "Times of files, flags and disks are the daemons' own clock."
    yield ""
    yield "| Daemon | Role | File | From | To | |"
    yield "|---|---|---|---|---|---|"
    shown = [(d, f) for d in daemons for f in d["files"] if not f["duplicate_of"]]
    for daemon, file in shown[:FILES]:
        start = f"{_plain(file['start'])} ({file['start_from']})"
        end = f"{_plain(file['end'])} ({file['end_from']})"
        mark = "new process" if file["restart"] else ""
        name = daemon["id"] or daemon["host"] or "?"
        yield f"| {name} | {daemon['role']} | {code(str(file['file']), in_table=True)} | {start} | {end} | {mark} |"
    if len(shown) > FILES:
        yield f"| … | | {len(shown) - FILES} more files | | | |"
    yield ""


def _plain(time: str | None) -> str:
    return time.replace("T", " ") if time else "?"


def _counters(daemons: list[Json]) -> Iterable[str]:
    """What moved in the window, what stood still, and the flags that are not normal."""
    everything = [(d, c) for d in daemons for c in d["counters"]]
    still = [(d, c) for d, c in everything if c["name"].startswith("err.") and not c["delta"]]
    if still:
        yield f"{len(still)} error counters of {len({d['id'] for d, _ in still})} daemons did not move in the window."
        yield ""
    rows = [(d, c) for d, c in everything if c["delta"] and (c["means"] or c["name"].startswith("err."))]
    if rows:
        rows.sort(key=lambda r: _weight(r[1]))
        yield "| Daemon | Counter | From | To | Growth | Rate before → in the window | Means | Line |"
        yield "|---|---|---|---|---|---|---|---|"
        yield from (_counter(d, c) for d, c in rows[:COUNTERS])
        if len(rows) > COUNTERS:
            yield f"| … | {len(rows) - COUNTERS} more moved | | | | | | |"
        yield ""
    yield from _flags(daemons)
    yield from _disks(daemons)


def _weight(c: Json) -> tuple[bool, bool, float]:
    """Errors, then what changed most against the requests it belongs to."""
    before, now = _rates(c)
    changed = now / before if before else 1.0
    return not c["name"].startswith("err."), "wait" not in c["name"] and "throttle" not in c["name"], -changed


def _rates(c: Json) -> tuple[float, float]:
    """(before, in the window), per request where there were any, else per second."""
    if c["per_request"] is not None:
        return c["before_per_request"] or 0.0, c["per_request"]
    return c["before_per_s"], c["per_s"]


def _counter(d: Json, c: Json) -> str:
    name, (before, now) = c["name"], _rates(c)
    unit = {"getbatch.n": "batch", "get.n": "get", "put.n": "put"}.get(c["requests"] or "", "s")
    rate = f"{amount_text(name, before)} → {amount_text(name, now)} /{unit}"
    if before and now / before >= SHOWN_TIMES:
        rate += f" (×{now / before:.0f})"
    first, last, grown = (amount_text(name, c[key]) for key in ("from", "to", "delta"))
    marks = [f"{n} {what}" for n, what in ((c["resets"], "reset"), (c["restarts"], "restart")) if n]
    grown += f" ({', '.join(marks)})" if marks else ""
    who = d["id"] or d["host"] or "?"
    return f"| {who} | {name} | {first} | {last} | {grown} | {rate} | {c['means']} | {_at(c, in_table=True)} |"


def _flags(daemons: list[Json]) -> Iterable[str]:
    rows = [(d, f) for d in daemons for f in d["flags"]]
    for d, f in rows[:SIGNATURES]:
        words = ", ".join(f["names"]) or "normal again"
        red = "**alert** " if f["red"] else ""
        who, when = d["id"] or d["host"] or "?", _plain(f["time"])
        yield f"- {who}: {red}state.flags {f['flags']} ({words}) at {when}, {_at(f)}"
    if rows:
        yield ""


def _disks(daemons: list[Json]) -> Iterable[str]:
    rows = [(d, s) for d in daemons for s in d["disks"]]
    for d, s in rows[:SIGNATURES]:
        disks = f"all {s['of']} disks" if len(s["disks"]) == s["of"] > 1 else ", ".join(s["disks"][:6])
        span = f"{_plain(s['start'])} to {_plain(s['end'])}"
        yield f"- {d['id']}: {disks} at their limit (up to {s['busiest']} %) from {span}, {_at(s)}"
    if rows:
        yield ""


def _unread(daemons: list[Json]) -> Iterable[str]:
    """What the daemons complain of and no signature reads: errors and what fell into the window."""
    rows = [(d, u) for d in daemons for u in d.get("unread", ()) if u["severity"] == "E" or u["in_window"]]
    for d, u in rows[:SIGNATURES]:
        seen = f"{u['count']} times, {u['in_window']} in the window"
        what = f"{u['severity']} `{u['template'].strip()}`"
        yield f"- {d['id']}: not read, {what} ({seen}), first at `{u['file']}:{u['line']}`"


def _signatures(daemons: list[Json]) -> Iterable[str]:
    rows = [(d, s) for d in daemons for s in d["signatures"] if s["in_window"] and s["meaning"] != "noise"]
    for d, s in rows[:SIGNATURES]:
        yield f"- {d['id']}: {s['title']} ({s['meaning']}, {s['count']} times), first at {_at(s)}"

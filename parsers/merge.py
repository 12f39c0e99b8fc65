"""From the parts that ranges gave to one table: order, line numbers, folding over the whole file, finished rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from logtui.parsers.clean import clean
from logtui.parsers.fold import Folding
from logtui.parsers.matchers import Matchers
from logtui.parsers.record import UNCOUNTED, Rows
from logtui.parsers.rows import RAW, RowBuilder
from logtui.parsers.scan import RangeScan
from logtui.parsers.source import LogFile
from logtui.parsers.stamp import TimeFrom


def join(parts: Sequence[RangeScan], folding: Folding) -> RangeScan:
    """One part in place of some that follow each other without a gap, folded as if it had been scanned at once."""
    if len(parts) == 1:
        return parts[0]
    hosts: dict[str, int] = {}
    rows, counts, lines, size = [], dict[tuple[int, int], int](), 0, 0
    for part in parts:
        rows.append(_moved(part, lines, size, hosts))
        lines += part.lines
        size += len(part.blob)
        for key, count in part.counts.items():
            counts[key] = counts.get(key, 0) + count
    before = np.cumsum([0, *(p.lines for p in parts)])
    first = parts[0]
    folded, blob = without_unused(folding.fold(np.concatenate(rows)), b"".join(p.blob for p in parts))
    return RangeScan(
        first.file, first.start, max(p.end for p in parts), folded, blob, list(hosts), counts, lines,
        sum(p.matched_lines for p in parts),
        np.concatenate([p.block_offsets for p in parts]),
        np.concatenate([p.block_lines + n for p, n in zip(parts, before.tolist(), strict=False)]),
        next((p.damage for p in parts if p.damage), None), any(p.nul_bytes for p in parts),
        max(parts, key=lambda p: p.end).unfinished,
    )  # fmt: skip


def _moved(part: RangeScan, lines: int, text_at: int, hosts: dict[str, int]) -> Rows:
    """A part's rows, with lines, texts and hosts numbered as in what comes before it."""
    rows = part.rows.copy()
    rows["line"] += lines
    rows["text"][rows["text"] >= 0] += text_at
    if part.hosts:
        numbers = np.array([*(hosts.setdefault(h, len(hosts)) for h in part.hosts), -1], np.int32)
        rows["host"] = numbers[rows["host"]]
    return rows


def without_unused(rows: Rows, blob: bytes) -> tuple[Rows, bytes]:
    """The same rows with a blob of their texts alone, if folding has left many without a row."""
    held = rows["text"] >= 0
    if 2 * int(rows["text_length"][held].sum(dtype=np.int64)) >= len(blob):
        return rows, blob
    rows = rows.copy()
    starts, sizes = rows["text"][held], rows["text_length"][held].astype(np.int64)
    texts = [blob[a : a + n] for a, n in zip(starts.tolist(), sizes.tolist(), strict=True)]
    rows["text"][held] = np.cumsum(sizes) - sizes
    return rows, b"".join(texts)


def runs(parts: Sequence[RangeScan]) -> Iterator[list[RangeScan]]:
    """Parts of one file, in the order of the file, cut where something between them is not scanned yet."""
    run: list[RangeScan] = []
    covered = 0
    for part in sorted(parts, key=lambda p: (p.start, p.end)):
        if run and part.start > covered:
            yield run
            run = []
        run.append(part)
        covered = max(covered, part.end)
    if run:
        yield run


def finished(scan: RangeScan, file: LogFile, matchers: Matchers) -> RangeScan:
    """The part with all its rows finished: raw ones read, and times taken from neighbours where a line has none.

    If something before the part is not scanned yet, its lines have no numbers of the file: they are numbered above
    `UNCOUNTED` plus the part's first byte.
    """
    raw = scan.rows["time_from"] == RAW
    if raw.any():
        scan = _read_raw(scan, np.flatnonzero(raw).tolist(), file, matchers)
    rows = scan.rows.copy()
    _take_neighbours_times(rows)
    if scan.start > 0:
        rows["line"] += UNCOUNTED + first_byte(scan)
    return replace(scan, rows=rows)


def first_byte(scan: RangeScan) -> int:
    """Where the first line of a part begins."""
    return int(scan.block_offsets[0]) if len(scan.block_offsets) else scan.start


def _read_raw(scan: RangeScan, raw: Sequence[int], file: LogFile, matchers: Matchers) -> RangeScan:
    """Give the raw rows what any other row has; one that does not match after all is left out."""
    builder, keep = RowBuilder(file, matchers.patterns), np.ones(len(scan.rows), np.bool_)
    for i in raw:
        row = scan.rows[i]
        pattern, start = int(row["pattern"]), int(row["text"])
        text = clean(scan.blob[start : start + int(row["text_length"])])
        match = matchers.regex(pattern).search(text)
        if match is None:
            keep[i] = False
        else:
            place = (int(row["line"]), int(row["offset"]), int(row["length"]))
            builder.add(pattern, text, match, place, bytes)
    rows = scan.rows.copy()
    done = builder.rows.copy()
    done["text"][done["text"] >= 0] += len(scan.blob)
    done["host"][done["host"] >= 0] += len(scan.hosts)
    rows[[i for i in raw if keep[i]]] = done
    rows, blob = without_unused(rows[keep], scan.blob + builder.blob)
    return replace(scan, rows=rows, blob=blob, hosts=[*scan.hosts, *builder.hosts])


def _take_neighbours_times(rows: Rows) -> None:
    """Give a row without a time that of the nearest row before it that has one."""
    known = (rows["time_from"] != TimeFrom.NONE) & (rows["time_from"] != TimeFrom.UPTIME)
    if known.all() or not len(rows):
        return
    nearest = np.maximum.accumulate(np.where(known, np.arange(len(rows)), -1))
    bare = (rows["time_from"] == TimeFrom.NONE) & (nearest >= 0)
    rows["time"][bare] = rows["time"][nearest[bare]]
    rows["time_from"][bare] = TimeFrom.NEIGHBOUR

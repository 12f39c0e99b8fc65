"""What the flight-recorder view says about a cell: lines below the grid, a page on Enter, its log line."""

from __future__ import annotations

import time as clock
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from logtui.diagnosis.dumps.findings import Chart, StackGroup
from logtui.diagnosis.dumps.matrix import Cell, Matrix
from logtui.parsers.dumps.dump import Dump, Entry, Shapes, Stack
from logtui.tui.screens.dump_grid import LOOKS, ODD
from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.wording import count_text, duration_text, printable, ranks_text

if TYPE_CHECKING:
    from logtui.diagnosis.model.evidence import Evidence
    from logtui.diagnosis.model.report import TimelineEvent

NEAR_S = 60.0
"""A rank's line this near to a launch may be about it."""

_NS = 1e9
STACKS_SHOWN = 8
FRAMES_SHOWN = 40
FRAMES_OF_OTHERS = 12
SHAPES_SHOWN = 400
_OWN_CODE = ("/torch/", "torch/distributed", "/megatron/core/", "site-packages")


@dataclass(frozen=True, slots=True)
class MatchingLine:
    """A line and how it was found."""

    file: str
    line: int
    time: float | None
    how: str


def matching_line(view: CaseView, rank: int, group: str, seq: int, created_s: float | None) -> MatchingLine | None:
    """The line that names this operation; else the rank's line nearest to its launch; else the rank's telling line.

    `group` is the name of the process group; times are seconds since the epoch.
    """
    state = view.states.get(rank)
    for found in state.groups if state else ():
        if found.group == group and found.stuck_on and found.stuck_on.seq == seq and found.evidence:
            return _of(found.evidence, f"the log's own word of #{seq}")
    if (event := _nearest(view, rank, created_s)) is not None:
        return MatchingLine(event.file, event.line, event.time, "the rank's line nearest to the launch")
    proof = view.proof(rank)
    return None if proof is None else _of(proof, "says most about this rank")


def _of(evidence: Evidence, how: str) -> MatchingLine:
    return MatchingLine(evidence.file, evidence.line, evidence.time, how)


def _nearest(view: CaseView, rank: int, created_s: float | None) -> TimelineEvent | None:
    if created_s is None:
        return None
    near = [
        (abs(event.time - created_s), event.line, event)
        for event in view.events_by_rank.get(rank, ())
        if event.time is not None and abs(event.time - created_s) <= NEAR_S
    ]
    return min(near, key=lambda found: found[:2])[2] if near else None


def moment(ns: int) -> str:
    """`2026-03-05 15:12:03.123456 UTC`; a dash where it is not known."""
    if not 0 < ns < 2e20:
        return "–"
    parts = clock.gmtime(ns // 1_000_000_000)
    return f"{clock.strftime('%Y-%m-%d %H:%M:%S', parts)}.{ns % 1_000_000_000 // 1000:06d} UTC"


def legend(matrix: Matrix, column: int) -> Content:
    """`at #1234: ◆ not launched 1  ■ launched, not finished 127`."""
    if not matrix.seqs:
        return Content("")
    counts = Counter(matrix.cells[:, column].tolist())
    parts = [
        Content.assemble((look.glyph, look.ink), f" {look.words} {counts[cell]}".replace(" ", "\xa0"))
        for cell, look in LOOKS.items()
        if counts[cell]
    ]
    if odd := int(matrix.odd[:, column].sum()):
        parts.append(Content.assemble((ODD.glyph, ODD.ink), f" {ODD.words} {odd}".replace(" ", "\xa0")))
    return Content.assemble((f"at\xa0#{matrix.seqs[column]}: ", "dim"), Content("  ").join(parts))


def cell_words(matrix: Matrix, row: int, column: int, entry: Entry | None, host: str) -> Content:
    """Who, what and how far: two lines."""
    look = LOOKS[Cell(int(matrix.cells[row, column]))]
    op = str(entry.call) if entry else matrix.ops[column]
    odd = f" (most called {matrix.ops[column]})" if matrix.odd[row, column] else ""
    head = Content.assemble(
        (f"{look.glyph} ", look.ink), (f"rank {matrix.ranks[row]} ", "bold"), (f"{host} " if host else "", "dim"),
        (f"{printable(op)} #{matrix.seqs[column]}", "bold"), odd, f" {look.words}",
    )  # fmt: skip
    if entry is None:
        return Content("\n").join([head, Content(_without_entry(matrix, row, column))])
    where = own_frame(entry.stack)
    return Content("\n").join([head, Content(f"launched {moment(entry.created_ns)}{'  in ' if where else ''}{where}")])


def _without_entry(matrix: Matrix, row: int, column: int) -> str:
    if matrix.cells[row, column] == Cell.NO_DUMP:
        return "its process died before, left, was blocked, or the file was not collected"
    if matrix.cells[row, column] == Cell.MISSING:
        front = matrix.front[row]
        return "nothing launched in this group" if front is None else f"the last it finished is #{front - 1}"
    return "no entry: the ring holds only the newest ones"


def own_frame(stack: Stack) -> str:
    """The innermost frame that is not the library's own: `step at train.py:42`."""
    frame = next((f for f in stack if not any(part in f.filename for part in _OWN_CODE)), stack[0] if stack else None)
    return "" if frame is None else printable(f"{frame.name} at {frame.filename.rsplit('/', 1)[-1]}:{frame.line}")


def entry_page(chart: Chart, dump: Dump, entry: Entry, line: MatchingLine | None) -> Iterator[Content]:
    """All that was recorded of one operation."""
    call = entry.call
    number = f"p2p #{entry.p2p_seq} (after collective #{entry.seq})" if entry.is_p2p else f"#{entry.seq}"
    yield _row("operation", f"{call} {number} of {chart.group.label}, backend {call.backend or '–'}")
    yield _row("state", f"{entry.state.name.lower()}{', retired' if entry.retired else ', not retired'}")
    yield _row("input", _tensors(call.input_sizes, call.input_dtypes))
    yield _row("output", _tensors(call.output_sizes, call.output_dtypes))
    yield _row("launched", moment(entry.created_ns))
    yield _row("seen started", f"{moment(entry.started_ns)}   finished {moment(entry.completed_ns)}")
    timeout = duration_text(entry.timeout_ms / 1000) if entry.timeout_ms else "–"
    took = "–" if entry.duration_ms is None else f"{entry.duration_ms:.3f} ms"
    yield _row("timeout", f"{timeout}   duration on the device {took}")
    yield _row("thread", f"{entry.thread.name or '–'} {entry.thread.id}")
    library = f", library {dump.library}" if dump.library else ""
    yield _row("recorded in", f"{dump.file}, entry {entry.index} (record {entry.record_id})")
    yield _row("", f"version {dump.version or 'of torch 2.2'}{library}; rank told by its {dump.rank_from}")
    yield log_row(line)


def newest_entry(dump: Dump) -> Iterator[Content]:
    """The last thing a rank launched anywhere, for a cell without an entry."""
    if len(dump.entries):
        entry = dump.entries.entry(len(dump.entries) - 1)
        number = f"p2p #{entry.p2p_seq}" if entry.is_p2p else f"#{entry.seq}"
        yield _row("newest", f"{entry.call} {number} of {entry.group}, {entry.state.name.lower()}")
        yield _row("launched", moment(entry.created_ns))
    else:
        yield _row("newest", "no entry: nothing launched, or all of it finished and left out")
    yield _row("dump", dump.file)


def log_row(line: MatchingLine | None) -> Content:
    """Where Enter leads."""
    return _row(
        "log line", f"{line.file}:{line.line}, {line.how} (enter)" if line else "no line of this rank was found"
    )


def own_stack(stack: Stack, *, whole: bool = True) -> Iterator[Content]:
    """The stack of the entry itself, innermost first; `whole`: the dump itself was read, not what a case file kept."""
    yield Content("")
    if not stack:
        yield Content.styled("no stack was recorded" if whole else "the case file holds no stack of this", "dim")
        return
    yield Content.styled("stack, innermost first", "bold")
    yield from _frames(stack, FRAMES_SHOWN)


def other_stacks(groups: Sequence[StackGroup]) -> Iterator[Content]:
    """All ranks' stacks at the same operation, the rarest first."""
    known = [group for group in groups if group.stack]
    if not known:
        return
    yield Content("")
    different = "all ranks have the same" if len(known) == 1 else f"{len(known)} different ones, the rarest first"
    yield Content.styled(f"stacks of all ranks at this operation: {different}", "bold")
    for group in known[:STACKS_SHOWN]:
        what = "" if group.entered else ", not launched; launched last:"
        yield Content.assemble(
            (f"▸ {count_text(len(group.ranks), 'rank')} ", "bold"), f"({ranks_text(group.ranks)}){what}"
        )
        yield from _frames(group.stack, FRAMES_OF_OTHERS)
    if len(known) > STACKS_SHOWN:
        yield Content.styled(f"… {len(known) - STACKS_SHOWN} more", "dim")


def _frames(stack: Stack, most: int) -> Iterator[Content]:
    for frame in stack[:most]:
        yield Content.assemble(f"    {printable(frame.name)}", (f" at {printable(frame.filename)}:{frame.line}", "dim"))
    if len(stack) > most:
        yield Content.styled(f"    … {len(stack) - most} more frames", "dim")


def _row(name: str, text: str) -> Content:
    return Content.assemble((f"{name:<14}", "dim"), printable(text))


def _tensors(shapes: Shapes, dtypes: Sequence[str]) -> str:
    text = f"{[list(shape) for shape in shapes]} {', '.join(dtypes)}" if shapes else "–"
    return text if len(text) <= SHAPES_SHOWN else f"{text[:SHAPES_SHOWN]}… ({len(shapes)} tensors)"

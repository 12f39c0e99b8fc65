"""What the flight-recorder dumps say of a process group, or of one collective in it."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from logtui.diagnosis.dumps.findings import Chart, FlightRecorderFindings, charts, stacks_at
from logtui.diagnosis.dumps.matrix import Cell, Matrix
from logtui.diagnosis.ranges import ranges
from logtui.tui.answers.open_job import NotAnswerable, OpenJob
from logtui.tui.answers.paging import PAGE, Answer, trimmed

STACKS = 4
MOST_GROUPS = 40
"""Those in which most ranks wait come first."""


def dump(job: OpenJob, group: str = "", seq: int | None = None) -> Answer:
    """All groups; with one, its ranks by what they did at a number, by default where it hangs."""
    found = job.analysis.dumps
    if found is None or not found.dumps:
        raise NotAnswerable("there are no flight-recorder dumps among these files")
    known = {chart.label: chart for chart in charts(found)}
    if not group:
        rows = [_group(label, chart) for label, chart in list(known.items())[:MOST_GROUPS]]
        absent = ranges(found.missing_ranks)
        return {"dumps": found.dumps, "missing_ranks": absent, "groups": rows, "groups_in_all": len(known)}
    chart = known.get(group) or next((c for label, c in known.items() if label.partition(":")[0] == group), None)
    if chart is None:
        raise NotAnswerable(f"no group {group!r} in the dumps; there are: {', '.join(list(known)[:PAGE])}")
    return _at(found, chart, chart.matrix(), seq)


def _group(label: str, chart: Chart) -> Answer:
    return {"group": label, "ranks": len(chart.group.members), "pending": chart.pending, "hangs_at": _hung(chart)}


def _hung(chart: Chart) -> int | None:
    return chart.matrix(last_n=200).hung_at


def _at(found: FlightRecorderFindings, chart: Chart, matrix: Matrix, seq: int | None) -> Answer:
    number = seq if seq is not None else matrix.hung_at if matrix.hung_at is not None else max(matrix.seqs)
    if number not in matrix.seqs:
        raise NotAnswerable(f"#{number} is not held: the dumps hold {matrix.seqs[0]} to {matrix.seqs[-1]}")
    column = matrix.seqs.index(number)
    by_state: dict[str, list[int]] = defaultdict(list)
    for row, cell in enumerate(matrix.cells[:, column].tolist()):
        by_state[Cell(cell).name.lower()].append(matrix.ranks[row])
    missing = frozenset(by_state[Cell.MISSING.name.lower()])
    stacks = () if chart.transfers else stacks_at(chart.group, number, missing)
    odd = [matrix.ranks[row] for row in np.flatnonzero(matrix.odd[:, column]).tolist()]
    return {
        "group": chart.label,
        "seq": number,
        "op": matrix.ops[column],
        "ranks_by_state": {state: ranges(ranks) for state, ranks in by_state.items() if ranks},
        "ranks_that_called_something_else": ranges(odd),
        "stacks": [trimmed(stack.as_dict()) for stack in stacks[:STACKS]],
        "suspects": trimmed([suspect.as_dict() for suspect in found.suspects]),
    }

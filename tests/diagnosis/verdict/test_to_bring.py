"""Files that are missing are named after those that are there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def _logs(lines: Any, nodes: tuple[int, ...], name: str) -> dict[str, str]:
    """Two ranks a node; all of them wait."""
    return {name.format(n): "WORLD_SIZE=8\n" + "".join(lines.victim(r) for r in (2 * n, 2 * n + 1)) for n in nodes}


@pytest.mark.parametrize(
    ("nodes", "name", "expected"),
    [
        ((0,), "error-4821-{}.out", "error-4821-1.out to error-4821-3.out; from each node: scp 'NODE:DIR/error-4821-*.out' ."),
        ((0, 2, 3), "error-4821-{}.out", "error-4821-1.out; from each node: scp 'NODE:DIR/error-4821-*.out' ."),
        ((0, 2), "error-4821-{:02d}.out", "error-4821-01.out, error-4821-03.out; from each node: scp 'NODE:DIR/error-4821-*.out' ."),
        ((0,), "all of it.log", ""),
    ],
    ids=["one-node", "one-missing", "padded", "no-numbers"],
)  # fmt: skip
def test_files_are_named(nodes: tuple[int, ...], name: str, expected: str, report_of: ReportOf, lines: Any) -> None:
    missing = [m for m in report_of(_logs(lines, nodes, name)).verdict.missing if m.startswith("the logs of ranks")]
    assert len(missing) == (1 if expected else 0)  # one file that names no node is everybody's
    assert not expected or missing[0].endswith(f": {expected}")

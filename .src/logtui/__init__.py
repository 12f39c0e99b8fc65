"""Finds what killed a distributed training job, and shows the line that proves it.

`diagnose` and `to_dict` are the Python interface, described in docs/python.md; they keep their meaning within a first
number of the version. Importing this imports nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from logtui.diagnosis.model.report import Report

__all__ = ["diagnose", "to_dict"]


def diagnose(
    *paths: str | PathLike[str],
    ais: Sequence[str | PathLike[str]] = (),
    baseline: Sequence[str | PathLike[str]] = (),
    offset_s: float | None = None,
    jobs: int | None = None,
    cache: bool = False,
) -> Report:
    """Read the logs below some paths and say what happened; what `logtui PATH... --json` prints, as frozen values.

    `ais` are logs of storage daemons, `baseline` those of a healthy run; `offset_s` seconds are added to the daemons'
    times to get the workers'. `jobs` processes scan, one per core otherwise. With `cache` an index and the report are
    kept below the user's cache directory; without, nothing is written.

    Raises:
        logtui.parsers.errors.SourceError: if a path is missing or nothing there can be read.
    """
    from pathlib import Path

    from logtui.diagnosis.options import Options
    from logtui.diagnosis.session.opening import analyse_whole

    options = Options(
        ais=tuple(map(Path, ais)),
        baseline=tuple(map(Path, baseline)),
        offset_s=offset_s,
        jobs=jobs,
        no_cache=not cache,
    )
    analysis = analyse_whole(list(map(Path, paths)), options)
    analysis.case.close()
    return analysis.report


def to_dict(report: Report) -> dict[str, Any]:
    """The report as `--json` prints it: dicts, lists and plain values, in the layout of docs/report.schema.json."""
    from logtui.diagnosis.report.json_report import as_dict

    return as_dict(report)

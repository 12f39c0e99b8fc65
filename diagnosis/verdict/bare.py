"""What was read, where judging it failed: files, counts and coverage, without an opinion.

The boundary between a bug of ours and the person who needs the logs: the report says what failed and goes on.
"""

from __future__ import annotations

import traceback
from collections import defaultdict
from pathlib import Path

from logtui.diagnosis.model.report import Coverage, JobFacts, PatternCount, Report, Verdict
from logtui.diagnosis.verdict.time_read import lines_read, read_window
from logtui.diagnosis.version import version
from logtui.parsers.clean import clean
from logtui.parsers.files.case import Case
from logtui.parsers.registry import registry

TITLE = "Undecided: the diagnosis itself failed"
WORDS = 200
"""Characters of an error that are shown."""


def failure_words(error: BaseException) -> str:
    """An error and the line of ours that raised it, in one line that a terminal can be given."""
    frames = traceback.extract_tb(error.__traceback__)
    at = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    text = str(error)[:WORDS] if not isinstance(error, MemoryError) else "out of memory"
    return clean(f"{type(error).__name__}: {text}{at}".encode("utf-8", "replace")).replace("\n", " ")


def bare_report(case: Case, error: BaseException) -> Report:
    """The report on a case that could be read and not be judged."""
    what = f"everything that would have been concluded ({failure_words(error)}): a bug of logtui, please report it"
    return Report(
        version(),
        JobFacts(),
        _coverage(case),
        Verdict("unknown", TITLE, "low", missing=(what,)),
        counts=_counts(case),
        provisional=case.share_read < 1.0,
    )


def _coverage(case: Case) -> Coverage:
    lines = lines_read(case)
    return Coverage(
        files=len(case.files),
        files_unread=(*((u.file, u.why) for u in case.unread), *registry().refused),
        bytes=sum(f.size - f.empty for f in case.files),
        lines=lines,
        lines_unparsed=max(0, lines - sum(i.matched for i in case.indexes.values())),
        share_read=case.share_read,
        site_formats=registry().site,
        window=read_window(case),
    )


def _counts(case: Case) -> tuple[PatternCount, ...]:
    by_file: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for count in case.records.counts:
        by_file[count.pattern][case.files[count.file].name] += count.total
    found = (PatternCount(name, sum(files.values()), dict(files)) for name, files in by_file.items())
    return tuple(sorted(found, key=lambda c: (-c.total, c.pattern)))

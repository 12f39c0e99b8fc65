"""A regular expression over the lines of a job, run where one that never ends does no harm."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import partial

from logtui.parsers.prefix.writers import labels_of, owner
from logtui.parsers.source import LogFile
from logtui.tui.answers.open_job import NotAnswerable, OpenJob
from logtui.tui.answers.paging import MOST, PAGE, Answer, trimmed
from logtui.tui.panes.raw.expressions import compile_search
from logtui.tui.panes.raw.line_search import Overtime, search_lines
from logtui.tui.panes.raw.pattern_process import apart

SECONDS = 20.0
"""Of one question; what was found until then is answered, and where to go on."""
EXPRESSION_CHARS = 500

Match = tuple[LogFile, int]


def search(
    job: OpenJob, regex: str, file: str = "", rank: int | None = None, after: str = "", limit: int = PAGE
) -> Answer:
    """Lines that match, in the order of the files; `next`, given as `after`, goes on behind the last one."""
    expression, wanted = _compiled(regex), max(1, min(limit, MOST))
    found: list[dict[str, object]] = []
    places, until = _matches(job, expression, file, rank, after), time.monotonic() + SECONDS
    more = None
    try:
        for log, line in places:
            if len(found) == wanted or time.monotonic() > until:
                more = found[-1]["at"] if found else None
                break
            text = job.case.lines(log.index, line, 1)
            found.append({"at": f"{log.name}:{line}", "text": trimmed(text[0] if text else "")})
    except Overtime as overtime:
        raise NotAnswerable(overtime.words(f"/{regex}/")) from overtime
    return {"matches": found, "next": more}


def _compiled(regex: str) -> re.Pattern[str]:
    if len(regex) > EXPRESSION_CHARS:
        raise NotAnswerable(f"an expression of more than {EXPRESSION_CHARS} characters")
    try:
        return compile_search(regex)
    except (re.error, RecursionError, OverflowError) as error:
        raise NotAnswerable(f"not a regular expression: {error}") from error


def _matches(job: OpenJob, regex: re.Pattern[str], file: str, rank: int | None, after: str) -> Iterator[Match]:
    name, _, line = after.rpartition(":")
    logs = _files(job, file, rank)
    names = [log.name for log in logs]
    if after and not (name in names and line.isdecimal()):
        raise NotAnswerable(f"{after!r} is no place in these files; `next` of the answer before is one")
    for log in logs[names.index(name) :] if after else logs:
        start = int(line) + 1 if log.name == name else 1
        yield from ((log, n) for n in _in_file(job, log, regex, start) if _wrote(job, log, n, rank))


def _files(job: OpenJob, file: str, rank: int | None) -> list[LogFile]:
    if file:
        return [job.file(file)]
    if rank is None:
        return [job.file(log.name) for log in job.case.files]
    state = job.view.states.get(rank)
    if state is None:
        raise NotAnswerable(f"rank {rank} left no trace in these files")
    return [job.file(name) for name in state.files]


def _in_file(job: OpenJob, log: LogFile, regex: re.Pattern[str], start: int) -> Iterator[int]:
    reader = job.case.new_reader(log.index)
    try:
        for found in search_lines(reader, regex, start, run=partial(apart)):
            for line in found.lines:
                if line < start:  # round the end of the file
                    return
                yield line
    finally:
        reader.close()


def _wrote(job: OpenJob, log: LogFile, line: int, rank: int | None) -> bool:
    """Whether a line is that rank's own; one of a file that it alone writes is."""
    if rank is None or job.view.rank_of_file(log.name) == rank:
        return True
    text = job.case.lines(log.index, line, 1)
    return bool(text) and owner(text[0], labels_of(job.case, log.index)) == rank

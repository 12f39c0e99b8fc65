"""Runs that were appended to one file after a long pause, where nothing else shows their start: the file's opening
stands there again, or days passed before a program spoke once more.

It only says when the newest run was started: nothing is judged by it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from statistics import median

import numpy as np

from logtui.diagnosis.facts.counted_anew import goes_on, row_behind
from logtui.diagnosis.facts.line_times import LineTimes
from logtui.diagnosis.facts.one_process import goes_on_in
from logtui.diagnosis.facts.openings import MOST_BYTES, MOST_FILES
from logtui.diagnosis.facts.rests import behind_rest, loops
from logtui.diagnosis.facts.stamped import OF_LIBRARY, REQUEST, any_values, before, dated_clock, line, parted
from logtui.diagnosis.facts.start_places import NOTHING, Judged
from logtui.diagnosis.facts.steps import BACK_S
from logtui.parsers.files.case import Case
from logtui.parsers.files.dates import DATED
from logtui.parsers.files.ends import head
from logtui.parsers.pattern import Role
from logtui.parsers.source import OF_PROGRAMS, LogFile

PAUSE_S, LONG_S = 3600.0, 86400.0
"""Before an opening that comes again, once, and before any words of a program."""
BETWEEN_S, MOST_RUNS, ALIKE_PAUSES = 60.0, 16, 2.0
"""Before each other opening: a loop says the same of each file that it reads, without a rest; so many of these are
epochs, or what else comes round, if most are no more than so many times as long or short as usual."""
WITHIN, SHORTEST, ALIKE = 32, 16, 40
"""Lines among which an opening stands; the fewest characters behind a stamp, and those that must be alike."""
MOST_TIMES, BACK, NEAR = 256, 200, 4096
"""Openings that are looked at, the last ones; lines above one among which the last time before it stands; bytes
behind the first line of an opening in which the second stands."""
LINES_S, AT_ONCE_S = 10.0, 600.0
"""Within which the lines of an opening are said, and all files of a run begin."""
MOST_BETWEEN = 4096
"""Lines between two known ones that are asked for their times."""
_COUNTS = re.compile(rb"(?i)\bloss\b|(?:\b|_)(?:step|epoch|iter(?:ation)?|round|episode|fold)s?\W{0,3}\d")
"""What comes again with the progress of one run."""
_DIGITS = re.compile(rb"\d+")


def begun_after_pause(case: Case, about: float | None, judged: Mapping[int, Judged]) -> float | None:
    """When the newest run of a small job was started, where that shows; None where a file began before it, and tells of
    no later start. `about` completes stamps, `judged` refutes what shows it."""
    files = [f for f in case.files if f.kind in OF_PROGRAMS]
    if case.share_read < 1.0 or not 0 < len(files) <= MOST_FILES or any(f.size > MOST_BYTES for f in files):
        return None
    times = LineTimes(case, about)
    begun = {f.index: _begun(case, times, f, judged.get(f.index, NOTHING)) for f in files}
    newest = max((time for time in begun.values() if time is not None), default=None)
    if newest is None:
        return None
    firsts = [begun[f.index] or _first(times, f) for f in files]
    mine = [time for time in firsts if time is not None]
    return min(mine) if min(mine) > newest - AT_ONCE_S else None


def _first(times: LineTimes, file: LogFile) -> float | None:
    said = times.first_from(file.index, 1)
    return None if said is None else said.epoch


def _begun(case: Case, times: LineTimes, file: LogFile, judged: Judged) -> float | None:
    """When the newest run of a file was started that came after a pause."""
    data = head(file, MOST_BYTES)
    rested = [one for one in _openings(data) if one[2] is not None and one[1] - one[2] >= BETWEEN_S]
    again = (one for one in rested if not (_goes_on(case, file, one[0]) or goes_on_in(data, one[0])))
    pauses = {clock: clock - last for at, clock, last in again if last and not _loops(data, at, clock, last)}
    least, longest = _least_rest([*pauses.values()]), max(pauses.values(), default=0.0)
    paused = [clock for clock, pause in pauses.items() if pause >= least and longest >= PAUSE_S]
    rested_at = behind_rest(data, lambda at: _goes_on(case, file, at))
    later = (_after_days(case, file), None if rested_at is None else rested_at.clock)
    told = (*paused, *(time for time in later if time is not None))
    return max((time for time in told if not judged.refutes_clock(time)), default=None)


def _loops(data: bytes, at: int, clock: float, last: float) -> bool:
    """Whether an opening is a part of what one program does again and again."""
    return at > 0 and loops(data, at, before(data, at), clock - last, BETWEEN_S)


def _least_rest(pauses: Sequence[float]) -> float:
    """What a pause before an opening lasts at least, of those that are long enough: where many are alike, the opening
    is what epochs begin with, and not each of them is a run."""
    usual = median(pauses) if pauses else 0.0
    alike = sum(pause <= ALIKE_PAUSES * usual for pause in pauses if pause * ALIKE_PAUSES >= usual)
    return ALIKE_PAUSES * usual if len(pauses) > MOST_RUNS and 2 * alike > len(pauses) else BETWEEN_S


def _opening(data: bytes) -> list[bytes]:
    """The first dated lines of a file, without their stamps."""
    found: list[bytes] = []
    for raw in data[: WITHIN * 400].split(b"\n")[:WITHIN]:
        text, clock = parted(raw)
        if clock is None or REQUEST.search(raw) or OF_LIBRARY.search(text):  # of whose lines the paths alone are alike
            continue
        if len(text) >= SHORTEST and not _COUNTS.search(text) and any(c > 64 for c in text):
            found.append(text[:ALIKE])
    return [*dict.fromkeys(found)]


def _openings(data: bytes) -> Iterator[tuple[int, float, float | None]]:
    """Where the first line of a file stands, with the second near it, or with what follows it elsewhere as well: at
    which byte, when, and when the last line before was said."""
    opening = _opening(data)[:2]
    if len(opening) < 2:
        return
    first, second = map(any_values, opening)
    places = deque((data.rfind(b"\n", 0, m.start()) + 1 for m in first.finditer(data)), maxlen=MOST_TIMES)
    behind = [_words_behind(data, at) for at in places]
    for at, words in islice(zip(places, behind, strict=True), 1, None):  # the first one is the file's own
        clock = dated_clock(line(data, at).decode("latin-1"))
        alike = (words and behind.count(words) > 1) or second.search(data, at, at + NEAR) is not None
        if clock is None or not alike:
            continue
        *own, last = (clock, *_clocks_before(data, at, clock - LINES_S))
        yield at, min((clock, *own)), last if last < clock - LINES_S else None


def _words_behind(data: bytes, at: int) -> bytes:
    """The beginning of the line behind another, whatever its numbers."""
    behind = data.find(b"\n", at) + 1
    return _DIGITS.sub(b"#", parted(line(data, behind))[0][:ALIKE]) if behind else b""


def _goes_on(case: Case, file: LogFile, at: int) -> bool:
    """Whether a counter of steps goes on behind a byte."""
    whole = case.records.rows_of_file(file.index)
    return goes_on(case, whole, row_behind(case, whole, at))


def _clocks_before(data: bytes, at: int, since: float) -> Iterator[float]:
    """The times of the dated lines above one, up to the first that is older than its opening."""
    for _ in range(BACK):
        if at == 0:
            return
        at = before(data, at)
        if (clock := dated_clock(line(data, at).decode("latin-1"))) is not None:
            yield clock
            if clock < since or _COUNTS.search(line(data, at)):  # what was trained is told of a run that goes on
                return


def _after_days(case: Case, file: LogFile) -> float | None:
    """When a program spoke again that had said nothing for days; not where that tells of a failure or an end, which a
    job that hangs comes to as well."""
    rows = case.records.rows[case.records.rows_of_file(file.index)]
    rows = rows[np.isin(rows["time_from"], [*DATED]) & np.isfinite(rows["time"])]
    passed = np.diff(rows["time"])
    gaps = np.flatnonzero(passed >= LONG_S)
    if not len(gaps) or (passed < -BACK_S).any():
        return None
    after = rows[gaps[-1] + 1]
    if case.records.patterns[int(after["pattern"])].role not in (Role.INFO, Role.NOISE):
        return None
    return _behind_gap(case, file, rows[gaps[-1]], after)


def _behind_gap(case: Case, file: LogFile, last: np.void, after: np.void) -> float:
    """The first time behind the days in which nothing was said, which lie somewhere between two known lines: others may
    have been said before them as well."""
    between = range(int(last["line"]) + 1, int(after["line"]))[:MOST_BETWEEN]
    told = (dated_clock(text) for text in case.bodies(file.index, between.start, len(between)))
    clocks = [float(last["time"]), *(clock for clock in told if clock is not None), float(after["time"])]
    return next((b for a, b in reversed([*pairwise(clocks)]) if b - a >= LONG_S), clocks[-1])

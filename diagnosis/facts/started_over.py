"""Runs that a script dates as they begin: `launch at <date>`, `job 57 start <date> (restart 1)`.

Such a line stands at the head of a file; where its words stand again with a later date, right behind an end, another
run begins, whoever writes into the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from logtui.diagnosis.facts.closed_alike import closed_alike, one_line_each
from logtui.diagnosis.facts.counted_anew import counts_anew_behind, goes_on, row_behind
from logtui.diagnosis.facts.opening_blocks import blocks_again
from logtui.diagnosis.facts.openings import MADE_UP_YEAR, Ends
from logtui.diagnosis.facts.stamped import GOES_ON, NUMBER, OF_LIBRARY, dated_clock, line
from logtui.diagnosis.facts.stamped import before as line_above
from logtui.parsers.files.case import Case
from logtui.parsers.files.dates import DATED
from logtui.parsers.pattern import Mark
from logtui.parsers.prefix.stamp import find_stamp

HEAD = 40
"""Lines at a file's head among which the dated one stands; a traceback may be above it."""
_SCRIPT = re.compile(
    rb"(?:[$#>+]{1,2} )?(?:bash |sh |python[\d.]* )?(?:[\w./-]{0,100}/)?[\w-]{1,60}\.(?:sh|py|pl|jl|R)(?=[ \r\n])"
)
"""A script that somebody ran, as the first line of its log."""
_PROMPTED = re.compile(rb"(?m)^\$ (?:\S{0,120}/)?[\w.-]{1,60}\.(?:sh|py) --?[^\n]{1,300}$")
"""A script with its arguments behind a shell's prompt."""
_AT_PROMPT = re.compile(
    rb"(?m)^(?:\([\w.-]{1,40}\) )?"
    rb"(?:(?:PS )?[A-Z]:\\[^>\n]{0,200}>|\[?[\w.-]{1,40}@[\w.-]{1,80}[: ][^$#\n]{0,120}[$#])[ ]?"
    rb"(?:\w{1,30}=\S{1,60} ){0,3}(?:python[\d.]{0,4}|torchrun|accelerate|deepspeed|bash|sh|\./\S{1,80}) [^\n]{1,400}$"
)
"""A command behind the prompt of a shell, as a console shows it."""
_BANNER = re.compile(rb"\s{0,8}([A-Z][^\n]{0,60}\b(?:[Vv]ersion|v)[ .]?\d{1,3}\.\d[^\n]{4,100}?)[ \t\r]*\n")
_TITLE = re.compile(rb"\s{0,8}([*=#~]{5,80} {1,4}[A-Z][\w-]{1,30}(?: [\w-]{1,30}){2,8} {1,4}[*=#~]{5,80})[ \t\r]*\n")
LEAST = 3
"""So many first epochs are no stages of one script."""
_APPENDS = re.compile(rb"(?m)^Restarting from checkpoint, appending to previous log file")
"""GROMACS'."""
_REQUEUED = re.compile(rb"(?m)^(?:slurmstepd: |\[)[^\n]{0,200} DUE TO JOB REQUEUE[^\n]{0,40}\n(?=\s{0,80}[^\s])")
"""SLURM's: what follows in the same file is the next start of the job."""
_LETTER = re.compile(rb"(?m)^Sender: LSF System <")
MOST_FRAMED = 256
_RULE = re.compile(rb"\s{0,8}([^\w\s]{2,12})[ \t]{1,3}(?=[\dA-Z])")
MOST, APART_S, SOON_S = 16, 30.0, 2.0
"""Times at which such a line may come; the least time between two of them; what it takes to load a program."""
WITHIN = 40
"""Lines above it, with words, of which one is an end."""
_DIGITS = re.compile(rb"\d+")
_SAID = re.compile(
    rb"(?i)(?:^|[\s\"'=*#])(?!rank|pid|node|worker|host|gpu|info|debug|warn|error|process|task)[A-Za-z\x80-\xff]{3,}(?=[\s:=_])"
)
"""A word, and no label of who writes."""
_CLOCK = re.compile(rb"(?i)^\W{0,12}(?:current )?(?:time|date|now|timestamp)\W{0,16}$")


def begun_once_more(case: Case, whole: slice, data: bytes) -> list[int]:
    """Bytes of a file's text at which a run begins, in any of these ways; `whole` are its records."""
    blocks = [at for at in blocks_again(data) if not goes_on(case, whole, row_behind(case, whole, at))]
    ways = (
        dated_again(case, whole, data), epochs_anew(data), framed(data), commanded(case, whole, data), bannered(data),
        [m.start() for m in _APPENDS.finditer(data)], [m.end() for m in _REQUEUED.finditer(data)], mailed(data),
        served(data), initialised(data), blocks, at_prompts(data), closed_alike(data), one_line_each(data),
    )  # fmt: skip
    return [at for way in ways for at in way]


def dated_again(case: Case, whole: slice, data: bytes) -> list[int]:
    """Bytes of a file's text at which its dated first line stands again, right behind an end or before a counter that
    begins anew; `whole` are its records."""
    told = next(_dated(data), None)
    if told is None:
        return []
    words, first = told
    said = re.compile(rb"(?m)^" + NUMBER.join(map(re.escape, words.split(b"#"))))
    places = [(m.start(), clock) for m in said.finditer(data) if (clock := _clock(line(data, m.start()))) is not None]
    if not 1 < len(places) <= MOST:
        return []
    ended = _ends(case, whole)
    begins, last = [], first
    for at, clock in places[1:]:
        if clock - last >= APART_S and (_ended_above(ended, data, at) or _counts_anew(case, whole, at)):
            begins.append(at)
        last = clock
    return begins


def _counts_anew(case: Case, whole: slice, at: int) -> bool:
    """Whether the counter of steps begins anew behind a byte."""
    return counts_anew_behind(case, whole, row_behind(case, whole, at))


_EPOCH = re.compile(rb"(?mi)^[^\w\n]{0,8}epoch[^\w\n]{0,3}(\d{1,6})\b[^\n]{0,60}?\b20\d\d[-/.]\d\d")


_TIME = rb"[^\w\n]{0,4}20\d\d[-/.]\d\d?[-/.]\d\d?[ T]\d\d?:\d\d:\d\d"
_HEADING = rb"[^\w\n]{0,80}(?:[a-z]{1,12} )?epoch[^\w\n]{0,3}(\d{1,6})\b"
_DATED_ABOVE = re.compile(rb"(?mi)^" + _TIME + rb"[^\w\n]{0,8}\n" + _HEADING)
"""A line with nothing but the time, and a heading below it."""
_DATED_BELOW = re.compile(rb"(?mi)^" + _HEADING + rb"[^\w\n]{0,80}\n" + _TIME + rb"(?:\.\d{1,9})?[^\w\n]{0,8}$")
"""The same the other way round."""
_INITIALISED = re.compile(rb"(?i)\b(?:initiali[sz]ed|starting up|started up|startup)\b")
_DRAWN = re.compile(rb"[=#*-]{3,}")
"""What a server or a controller writes between rules as it comes up."""


def initialised(data: bytes) -> list[int]:
    """Bytes of a file's text at which a program says between rules that it is up, once more and after a pause."""
    starts = dict.fromkeys(data.rfind(b"\n", 0, m.start()) + 1 for m in _INITIALISED.finditer(data))
    told = [(at, _clock(text)) for at in starts if len(_DRAWN.findall(text := line(data, at))) > 1]
    times = [(at, clock) for at, clock in told if clock is not None]
    if len(times) != len(told) or len(times) > MOST_FRAMED:
        return []
    return [at for (_, last), (at, clock) in pairwise(times) if clock - last >= SOON_S]


_SERVES = re.compile(
    rb"(?m)^(?: \* Serving Flask app|\[[^\n]{1,60}\] Starting gunicorn \d"
    rb"|[^\n]{0,80}\bWatching for file changes with StatReloader)"
)
_UP = re.compile(rb"(?m)^(?:\x1b\[[\d;]{0,9}m){0,3}WARNING: This is a development server\.")
"""Flask's, gunicorn's and Django's words as they begin to serve, and what Flask says a few lines below, or alone where
it reloads its program."""


_UVICORN = re.compile(rb"(?m)^\W{0,9}(?:\x1b\[[\d;]{0,9}m)?INFO(?:\x1b\[[\d;]{0,9}m)?:\s{1,8}Started server process \[")
_DOWN = re.compile(rb"(?m)^[^\n]{0,40}\bFinished server process \[[^\n]{0,40}\n(?=[^\n])")
"""Uvicorn's first words, and its last ones where more follows."""
_RELOADS = re.compile(rb"(?m)^[^\n]{0,80}\* Detected change in [^\n]{1,400}, reloading[^\n]{0,20}\n(?=[^\n])")
"""Werkzeug's, behind which the program begins anew."""
ONE_START = 400
"""Bytes in which a server tells of one start."""


def served(data: bytes) -> list[int]:
    """Bytes of a file's text at which a server says once more that it begins to serve."""
    places = [m.start() for m in _SERVES.finditer(data)]
    alone = [
        m.start() for m in _UP.finditer(data) if not _SERVES.search(data, max(m.start() - ONE_START, 0), m.start())
    ]
    begins = sorted((*places, *alone))[1:]
    again = [m.end() for m in _DOWN.finditer(data) if _UVICORN.search(data, m.end())]
    again += [m.end() for m in _RELOADS.finditer(data)]
    return sorted((*begins, *again)) if len(begins) + len(again) < MOST_FRAMED else []


def epochs_anew(data: bytes) -> list[int]:
    """Bytes of a file's text at which a heading begins that dates an epoch, or that has its date above or below it,
    where this is the first one once more."""
    told = [(m.start(), int(m[1])) for m in _EPOCH.finditer(data) if _clock(line(data, m.start())) is not None]
    told = told or [(m.start(), int(m[1])) for way in (_DATED_ABOVE, _DATED_BELOW) for m in way.finditer(data)]
    begins = [at for (_, before), (at, number) in pairwise(told) if number <= min(before, told[0][1])]
    if len(begins) < LEAST:  # a script may train twice
        return []
    opening = line(data, line_above(data, told[0][0])) if told[0][0] else b""
    alike = {at for at, _ in told[1:] if _SAID.search(opening) and line(data, line_above(data, at)) == opening}
    return sorted({*begins, *alike})  # one that was resumed counts from elsewhere


def commanded(case: Case, whole: slice, data: bytes) -> list[int]:
    """Bytes of a file's text at which the command stands again that is its first line, right behind an end; or one that
    a shell's prompt shows more than once."""
    prompted = [m.start() for m in _PROMPTED.finditer(data)]
    told = Counter(line(data, at) for at in prompted[:MOST_FRAMED])
    again = [at for at in prompted if told[line(data, at)] > 1 and at > 0]
    first = _SCRIPT.match(data)
    if first is None:
        return again if len(prompted) <= MOST else []
    same = re.compile(rb"(?m)^" + re.escape(first[0]) + rb"(?=[ \r\n])")
    places = [m.start() for m in same.finditer(data, first.end())]
    ended = _ends(case, whole) if 0 < len(places) <= MOST else []
    return [at for at in places if _ended_above(ended, data, at)]


def at_prompts(data: bytes) -> list[int]:
    """Bytes of a file's text at which somebody gave a command at a prompt, behind something else."""
    places = [m.start() for m in _AT_PROMPT.finditer(data)]
    return [at for at in places if data[:at].strip()] if len(places) <= MOST_FRAMED else []


def bannered(data: bytes) -> list[int]:
    """Bytes of a file's text at which the banner stands again that is its first line: with its version, or a title of
    several words that is drawn."""
    first = _BANNER.match(data) or _TITLE.match(data)
    if first is None or GOES_ON.search(first[1]):
        return []
    said = re.compile(rb"(?m)^" + re.escape(first[1]) + rb"[ \t\r]*$")
    places = [m.start() for m in said.finditer(data, first.end())]
    return places if len(places) < MOST else []


def mailed(data: bytes) -> list[int]:
    """Bytes of a file's text at which LSF's letter about another job begins, where the file begins with one: the output
    stands behind it."""
    letters = [m.start() for m in _LETTER.finditer(data)]
    return letters[1:] if letters and not data[: letters[0]].strip() else []


def framed(data: bytes) -> list[int]:
    """Bytes of a file's text at which a date stands behind a rule, `==== 2031-02-03 04:05:06 ====`, as it does in the
    file's first line."""
    first = next((m for m in [_RULE.match(data)] if m is not None), None)
    if first is None or GOES_ON.search(line(data, first.start())):
        return []
    rule = re.compile(rb"(?m)^[ \t]{0,8}" + re.escape(first[1]) + rb"[ \t]{1,3}(?=[\dA-Z])")
    told = [(m.start(), clock) for m in rule.finditer(data) if (clock := _clock(line(data, m.start()))) is not None]
    if not 1 < len(told) <= MOST_FRAMED or any(GOES_ON.search(line(data, at)) for at, _ in told):
        return []
    later = (at for (_, before), (at, clock) in pairwise(told) if clock - before >= APART_S)
    return [at for at in later if not _OF_AN_END.search(line(data, at))]


_OF_AN_END = re.compile(rb"(?i)\b(?:finish\w*|complet\w*|ended|ends|stopp\w*)\b")


def _dated(data: bytes) -> Iterator[tuple[bytes, float]]:
    """The first line of a file that says words before a date, masked up to it; and the date."""
    at = 0
    for _ in range(HEAD):
        text = line(data, at)
        stamp = find_stamp(text.decode("latin-1"), 0, MADE_UP_YEAR)
        if stamp is not None and stamp.source in DATED:
            words = text[: stamp.start]
            if _SAID.search(words) and not (GOES_ON.search(words) or OF_LIBRARY.search(words) or _CLOCK.match(words)):
                yield _DIGITS.sub(b"#", words), stamp.epoch
            return
        at = data.find(b"\n", at) + 1
        if not at:
            return


def _clock(text: bytes) -> float | None:
    return dated_clock(text.decode("latin-1"))


def _ends(case: Case, whole: slice) -> list[int]:
    """Lines of a file with which something ended, ascending."""
    rows = np.concatenate(
        (Ends.of(case).all, case.records.rows_marked(Mark.LAST_WORD, Mark.TASK_EXIT, Mark.EXIT_CODE, Mark.REPORTS))
    )
    mine = rows[(rows >= whole.start) & (rows < whole.stop)]
    lines: list[int] = np.unique(case.records.rows["line"][mine]).tolist()
    return lines


def _ended_above(ended: list[int], data: bytes, at: int) -> bool:
    """Whether one of the lines right above a place ended something."""
    number = data.count(b"\n", 0, at) + 1
    return any(number - WITHIN <= n < number for n in ended)

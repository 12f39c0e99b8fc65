"""Everything that is said in words: numbers, times, cited lines, the job, how much of it was read and how far that is.

`printable` is the last gate before the terminal: text from a log, or a file's name, goes through it.
"""

from __future__ import annotations

import math
import os
import sys
import textwrap
import time as clock
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from logtui.tui.shared.prefixes import without_prefix

if TYPE_CHECKING:
    from logtui.diagnosis.model.evidence import Evidence
    from logtui.diagnosis.model.report import Coverage, JobFacts, Report
    from logtui.parsers.scan.plan import Progress

_UNITS = ("B", "kB", "MB", "GB", "TB")
NOT_BEFORE_S = 0.5
"""A line that is gone at once only flickers."""
EVERY_S = 0.2
TO_LINE_START, CLEAR_LINE = "\r", "\x1b[K"


def printable(text: str) -> str:
    """The text on one line, tabs as blanks, every sign that is not to be printed as `·`."""
    text = text.expandtabs(8) if "\t" in text else text
    return text if text.isprintable() else "".join(c if c.isprintable() else "·" for c in text)


def size_text(count: int) -> str:
    """Bytes in decimal units, three digits at most: `41.5 MB`."""
    value, unit = float(count), 0
    while value >= 999.5 and unit < len(_UNITS) - 1:
        value /= 1000
        unit += 1
    return f"{value:.0f} {_UNITS[unit]}" if unit == 0 or value >= 99.95 else f"{value:.1f} {_UNITS[unit]}"


def count_text(count: int, noun: str) -> str:
    """`1 line`, `2 lines`, `12,345 lines`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def time_text(epoch: float | None, *, day: bool = False) -> str:
    """Time of day, with the date where asked for; blanks of the same width where unknown."""
    if epoch is None or not math.isfinite(epoch) or not 0 <= epoch < 2e11:
        return " " * (14 if day else 8)
    parts = clock.gmtime(epoch)
    return clock.strftime("%m-%d %H:%M:%S" if day else "%H:%M:%S", parts)


def about(epoch: float | None, inherited: bool) -> str:
    """Time of day, `~15:42:03` where it is a neighbouring line's; "" where unknown."""
    text = time_text(epoch).strip()
    return f"~{text}" if text and inherited else text


def duration_text(seconds: float) -> str:
    """`45 s`, `30 min`, `1 h 05 min`, `2 d 3 h`."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.0f} s"
    if whole < 3600:
        minutes, rest = divmod(whole, 60)
        return f"{minutes} min {rest:02d} s" if rest and minutes < 10 else f"{minutes} min"
    if whole < 86400:
        hours, rest = divmod(whole, 3600)
        return f"{hours} h {rest // 60:02d} min" if rest >= 60 else f"{hours} h"
    days, rest = divmod(whole, 86400)
    return f"{days} d {rest // 3600} h"


def ranks_text(ranks: tuple[int, ...] | list[int], limit: int = 6) -> str:
    """Ranks as ranges, `0–56, 58–127`; the rest counted after `limit` ranges."""
    ranges: list[tuple[int, int]] = []
    for rank in sorted(set(ranks)):
        if ranges and ranges[-1][1] == rank - 1:
            ranges[-1] = (ranges[-1][0], rank)
        else:
            ranges.append((rank, rank))
    shown = [f"{a}" if a == b else f"{a}–{b}" for a, b in ranges[:limit]]
    return ", ".join([*shown, f"+{len(ranges) - limit} more"] if len(ranges) > limit else shown)


def shortened(text: str, width: int) -> str:
    """A name with its middle left out where it does not fit: names differ at their ends, and kinds at their heads."""
    if len(text) <= width:
        return text
    head = max(width // 4, 1) if width > 8 else 0
    return text[:head] + "…" + text[len(text) - (width - head - 1) :]


def offset_text(seconds: float) -> str:
    """`+8 h`, `-5:30 h`, `+12.5 s`, `±0`: what is added to one clock to get the other."""
    if not seconds:
        return "±0"
    sign, whole = ("+" if seconds > 0 else "-"), abs(seconds)
    if whole % 60:
        return f"{sign}{whole:.3f}".rstrip("0").rstrip(".") + " s"
    hours, minutes = divmod(int(whole) // 60, 60)
    return (
        f"{sign}{hours}:{minutes:02d} h"
        if hours and minutes
        else f"{sign}{hours} h"
        if hours
        else f"{sign}{minutes} min"
    )


def timed_text(cited: Evidence, limit: int = 160, shorten: Callable[[str, int], str] | None = None) -> str:
    """`15:42:03 r57 what the line says`; where the time is not known, the line as it is.

    `shorten` chooses what is shown of a line that is too long; its beginning where nothing does.
    """
    text, head = printable(cited.text.strip()), ""
    if at := about(cited.time, cited.inherited):
        head = f"{at} r{cited.rank} " if cited.rank is not None else f"{at} "
        text = without_prefix(text)
    return head + (shorten or cut)(text, limit - len(head))


def cut(words: str, room: int) -> str:
    """The first of the words, with a sign where there were more."""
    return words if len(words) <= room else words[: max(room - 1, 0)] + "…"


def cut_to_rows(words: str, width: int, rows: int) -> str:
    """What of a sentence fits into some rows that break between words, `…` where it goes on."""
    lines = textwrap.wrap(words, width) if len(words) > width else [words]
    if len(lines) <= rows:
        return words
    return " ".join((*lines[: rows - 1], cut(" ".join(lines[rows - 1 :]), width)))


def job_words(report: Report, title: str, room: int, states: str | None = None) -> str:
    """`job 4821 · NeMo 2.5 · 16 nodes × 8 = 128 ranks · died 15:42:03 · 127 waiting, …`, what fits into `room`.

    `states` are `state_words`, for callers that ask again and again.
    """
    states = state_words(report) if states is None else states
    job = report.job
    name = f"job {job.id}" if job.id else title
    framework = " ".join(filter(None, (job.framework or "", job.framework_version or "")))
    scale, ended = (_scale(job), _ended(report)) if job.world_size else ("", _ended(report))
    short = scale.partition(" = ")[0]  # the number of ranks stands at the other end of the line
    for parts in (
        (name, framework, scale, ended, states),
        (name, framework, scale, ended),
        (name, framework, short, ended),
        (name, short, ended),
        (name, ended),
    ):
        words = " · ".join(filter(None, parts))
        if len(words) <= room:
            return words
    return name


def _ended(report: Report) -> str:
    if report.job.ended is None:
        return ""
    verb = "ended" if report.verdict.cls in ("healthy", "slow-training") else "died"
    return f"{verb} {time_text(report.job.ended)}"


def _scale(job: JobFacts) -> str:
    if job.nodes and job.gpus_per_node:
        return f"{count_text(job.nodes, 'node')} × {job.gpus_per_node} = {job.world_size} ranks"
    return count_text(job.world_size or 0, "rank")


def state_words(report: Report) -> str:
    """`127 waiting, 1 never entered`."""
    counts = Counter(state.status.replace("_", " ") for state in report.ranks)
    return ", ".join(f"{n} {status}" for status, n in counts.most_common(3))


def coverage_words(report: Report) -> str:
    """`128/128 ranks · 16/16 files`; what is missing counts, and it is said where nothing tells the number of ranks."""
    coverage = report.coverage
    unread = len(troubled_files(coverage))
    ranks = f"{coverage.ranks_seen}/{coverage.ranks_expected} ranks"
    if not coverage.ranks_expected:
        unseen = "no rank's own lines" if report.ranks else "no rank named"
        ranks = f"{count_text(coverage.ranks_seen, 'rank')} seen" if coverage.ranks_seen else unseen
    files = f"{coverage.files - unread if coverage.files >= unread else coverage.files}/{coverage.files} files"
    share = f"{coverage.share_read:.0%} read · " if coverage.share_read < 0.9995 else ""
    return f"{share}{_window(coverage)}{ranks} · {files}"


def _window(coverage: Coverage) -> str:
    """`15:40:00–15:50:00 only · `, open at an end that was not given; "" where all times were read."""
    span = coverage.window
    if span is None:
        return ""
    ends = ("" if time is None else time_text(time) for time in (span.since, span.until))
    return f"{'–'.join(ends)} only · "


def coverage_is_partial(report: Report) -> bool:
    """Whether anything that should be there was not read."""
    coverage = report.coverage
    lost = coverage.ranks_missing or coverage.nodes_missing or troubled_files(coverage)
    return bool(lost) or coverage.share_read < 0.9995


def troubled_files(coverage: Coverage) -> list[str]:
    """Files that were not read though there was something to read."""
    return [name for name, why in coverage.files_unread if is_trouble(why)]


def is_trouble(why: str) -> bool:
    """Whether the reason why a file was not read is any: nothing is lost with one that holds nothing."""
    from logtui.parsers.source import EMPTY

    return bool(why) and why != EMPTY


def progress_words(progress: Progress, room: int, last: str = "") -> str:
    """`reading 42% · 14/33 files · 4.2 GB of 10.0 GB · 2.1 GB/s · 3 s left`, or less of it in so many columns; `last`
    ends it."""
    share, files = f"reading {progress.share:.0%}", f"{progress.files_done}/{progress.files} files"
    bytes_read = f"{size_text(progress.bytes_done)} of {size_text(progress.bytes)}"
    rate = f"{size_text(round(progress.bytes_per_s))}/s" if progress.bytes_per_s else ""
    left = f"{duration_text(progress.remaining_s)} left" if progress.remaining_s is not None else ""
    ways = ((share, files, bytes_read, rate, left, last), (share, bytes_read, left, last), (share, last))
    said = [" · ".join(filter(None, parts)) for parts in ways]
    return next((words for words in said if len(words) <= room), said[-1])


class ProgressLine:
    """One line on a terminal, written over again and again; nothing on what is no terminal."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._is_terminal = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._due = clock.monotonic() + NOT_BEFORE_S
        self._stands = False
        self.trouble = ""
        """Why parts were read a second time, if any were."""

    def show(self, progress: Progress) -> None:
        """Say how far it is, if that was not said just now."""
        self.trouble = progress.trouble
        now = clock.monotonic()
        ends = self._stands and progress.share >= 1.0
        if not self._is_terminal or (now < self._due and not ends):
            return
        self._due, self._stands = now + EVERY_S, True
        room = _columns(self._stream) - 1
        words = progress_words(progress, room) if progress.share < 1.0 else "all is read, diagnosing"
        self._write(words[:room])

    def clear(self) -> None:
        """Take the line away."""
        if self._stands:
            self._write("")
        self._stands = False

    def _write(self, words: str) -> None:
        self._stream.write(TO_LINE_START + words + CLEAR_LINE)
        self._stream.flush()


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80

"""What ranks said last before they fell silent: lines read backwards from disk, up to where watchdogs speak for them.

`last_words` looks for one rank wherever it may have written; `last_words_by_file` reads every file once, for all ranks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.identity import Identity, key_of_file
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import RankState
from logtui.parsers.bounded import compile_bounded
from logtui.parsers.clean import clean
from logtui.parsers.errors import LogtuiError
from logtui.parsers.files.lines import BRIEF
from logtui.parsers.pattern import Role, Trait
from logtui.parsers.prefix.origin import Origin, glued_heads, named_rank, read_origin
from logtui.parsers.prefix.stamp import stamp_near
from logtui.parsers.prefix.wrapping import unwrapped
from logtui.parsers.records.record import RecordTable
from logtui.parsers.regex import regex
from logtui.parsers.registry import registry
from logtui.parsers.source import FileKind

REACH = 200_000
"""Lines looked at, at most, from the end of one file."""
CHUNK = 2000
MOST_PARTS = 64
"""Heads that are looked at in one line."""
NAMED_REACH = 4096
"""Characters from the start of a line, or of a part of it, in which a text may name its rank."""
REMEMBERED = 4096
"""Characters of a line of which the heads are remembered."""
FILE_REACH, FILE_CHUNK = 50_000, 500
"""The same where all files are read, of each the lines of many ranks."""
UNKNOWN_FILES = 64
"""Files searched for a rank that no prefix and no file name places."""
_AFTERMATH = compile_bounded(
    r"ProcessGroup(?:NCCL|Gloo)|TCPStore|c10d|frame #\d+|dump the debug info|Exception raised from"
    r"|terminate called|what\(\):|^\s*$|Sending process|torch/distributed/elastic|srun: |slurmstepd"
    r"|destroy_process_group|NCCL (?:INFO|WARN)|Fatal Python error|Extension modules|most recent call first"
    r"|Killing subprocess|libc\.so|python\w*\(_Py|nccl\w+Error|Last error:|socket progress|^\W*$"
)
"""What watchdogs, launchers and teardown print after the rank itself has stopped speaking."""
DATA_WORDS = compile_bounded(
    r"data_?loader|next[_ ](?:data|batch)|\bshards?(?:\b|_?\d)|webdataset|lhotse|aistore|\bais[:/]|s3://|gs://|prefetch|tokeniz"
    r"|(?:read|load|open|fetch|download|decod)\w* (?:sample|batch|data|record|file|manifest|cut|url|object)"
    r"|sampler|\.tar\b|\.parquet|\.jsonl|\.wds",
    re.I,
)
CODE_WORDS = regex(
    r"checkpoint|sav(?:e|ing)|eval|validat|wandb|tensorboard|logging|garbage|\bgc\b|sleep|straggl|compil|profil|export|upload|callback"
    r"|\bflush|\bmetric|summar",
    re.I,
)


def is_aftermath(text: str) -> bool:
    """Whether a line comes from watchdogs, launchers or teardown rather than from the program."""
    return _AFTERMATH.search(text) is not None


FINISHED_WORDS = regex(
    r"\b(?:done|finished|completed|loaded|saved|written)\b"
    r"|\b(?:in|took|after) \d+(?:\.\d+)? ?(?:ms|s|sec|secs|seconds|min)\b",
    re.I,
)
"""The end of something: what came next is not said."""
OUT_OF_DATA = regex(
    r"\bepoch\W{0,3}\d+ ?(?:is |was |has )?(?:done|finished|ended|over|complete[d]?)\b"
    r"|\b(?:end of|finished|completed|done) (?:with )?(?:the )?(?:epoch|training)\b"
    r"|\btraining(?: loop)?(?: is| was| has)? ?(?:done|finished|ended|over|complete[d]?)\b"
    r"|\b(?:data\w*|loader|iterator|shards?|split|stream)(?: is| are)? exhausted\b|\b(?:no more|(?:ran |run )?out of)"
    r" (?:data|batches|samples|shards)\b|\bStopIteration\b",
    re.I,
)
"""The end of an epoch, of training or of the data: who says it while others still train had less to read."""
STEP_WORDS = regex(r"\b(?:steps?|iter(?:ation)?s?|batch(?:es)?|global_step)\b", re.I)
"""What training is counted by."""


@dataclass(frozen=True)
class Words:
    """What a rank said."""

    text: str
    """Its own part of the line: another rank's may be glued before and behind it."""
    cited: Evidence
    """The line."""


def last_words(identity: Identity, rank: int, count: int = 3) -> list[Words]:
    """Up to `count` lines a rank wrote last, before watchdogs and teardown; newest first.

    Reads the files that hold the rank, at most `REACH` lines from the end of each.
    """
    found: list[Words] = []
    for file in _files_of(identity, rank):
        for line, text in _backwards(identity, file, _alarm(identity, file, rank)):
            found += [
                said(identity, file, line, text, own, rank)
                for writer, own in parts_of(identity, file, text)
                if writer == rank and not is_aftermath(text)
            ]
            if len(found) >= count:
                return found[:count]
    return found


def said(identity: Identity, file: int, line: int, text: str, own: str, rank: int) -> Words:
    """A rank's own part of a line; without a time, unless a collector gave one."""
    case = identity.case
    at = case.collected_at(file, line)
    return Words(own, Evidence(case.files[file].name, line, text.strip()[:400], at, False, rank))


def _files_of(identity: Identity, rank: int) -> list[int]:
    files = identity.case.files
    own = [f for f, r in identity.by_file.items() if r == rank and files[f].kind is not FileKind.FLIGHT_RECORDER]
    rows = identity.case.records.rows
    shared = sorted({int(f) for f in rows["file"][rows["rank"] == rank]} - set(own))
    if own or shared:
        return own + shared
    # older PyTorch prints no rank before a line: the rank may still name itself in plain text
    nodes = {node for (node, _), r in identity.by_local.items() if r == rank}
    workers = [f for f in files if f.kind is FileKind.WORKER]
    home = [f.index for f in workers if key_of_file(f) in nodes]
    return home or [f.index for f in workers][:UNKNOWN_FILES]


def parts_of(identity: Identity, file: int, text: str) -> list[tuple[int | None, str]]:
    """The ranks that wrote a line, each with its part, last first.

    A rank's record may be glued to what another left without an end. Heads that tell of nobody else cut nothing off:
    `[shard12]:` in a text looks like one.
    """
    begins = _heads_in(text) if len(text) <= REMEMBERED else _heads_in.__wrapped__(text)
    parts, writer, begin = [], _writer_of(identity, file, text, *begins[0]), 0
    for start, origin in begins[1:]:
        other = _writer_of(identity, file, text, start, origin)
        if other is not None and other != writer:
            parts.append((writer, text[begin:start]))
            writer, begin = other, start
    return [(writer, text[begin:]), *reversed(parts)]


@lru_cache(maxsize=1 << 12)
def _heads_in(text: str) -> tuple[tuple[int, Origin], ...]:
    """First character and meaning of the heads of a line, and of those glued into it. A shared file is read for each
    of its ranks."""
    glued = islice(glued_heads(text), MOST_PARTS)
    return ((0, read_origin(text)), *((start, read_origin(text, end)) for start, end in glued))


def _writer_of(identity: Identity, file: int, text: str, start: int, origin: Origin) -> int | None:
    """By its heads, the file, or the rank that the text from `start` on soon names."""
    known = identity.rank_of_origin(identity.case.files[file], origin)
    known = known if known is not None else identity.by_file.get(file)
    return known if known is not None else named_rank(text[start : start + NAMED_REACH])


def watchdog_rows(records: RecordTable) -> npt.NDArray[np.intp]:
    """Row numbers of the lines with which watchdogs sound an alarm, in order: they also tell of set-up and exit."""
    areas, calm = registry().areas_with(Trait.WATCHDOG), (Role.INFO, Role.NOISE)
    return records.indices(*(p.name for p in records.patterns if p.area in areas and p.role not in calm))


def _alarm(identity: Identity, file: int, rank: int) -> int | None:
    """The rank's first line of the watchdog family in a file: what it says from there on is no longer its own."""
    records = identity.case.records
    rows = watchdog_rows(records)
    rows = rows[records.rows["file"][rows] == file]
    own = identity.by_file.get(file) == rank
    mine = rows if own else rows[records.rows["rank"][rows] == rank]
    return int(records.rows["line"][mine].min()) if len(mine) else None


def _backwards(identity: Identity, file: int, before: int | None) -> Iterator[tuple[int, str]]:
    """(line number, cleaned text) backwards, from a line or from the end of a file."""
    last = before - 1 if before is not None else identity.case.line_count(file)
    stop = max(identity.case.first_known(file, last) - 1, last - REACH)
    while last > stop:
        first = max(stop + 1, last - CHUNK + 1)
        lines = identity.case.bodies(file, first, last - first + 1)
        yield from ((first + i, lines[i]) for i in range(len(lines) - 1, -1, -1))
        last = first - 1


# -- Every file once from its end


def last_words_by_file(
    identity: Identity, states: Iterable[RankState], near: float, cancelled: Callable[[], bool] = lambda: False
) -> Iterator[dict[int, Evidence]]:
    """File by file the last lines of the ranks in it; of a rank in several files the latest line so far.

    `near` is a time of the job: it completes stamps without a year. Reads a few hundred lines of most files.
    """
    found: dict[int, Evidence] = {}
    for file, ranks in _ranks_by_file(identity, states).items():
        if cancelled():
            return
        later = {}
        for rank, said_last in words_in_file(identity, file, ranks, near).items():
            words = said_last.cited
            if rank not in found or (words.time or 0.0) > (found[rank].time or 0.0):
                later[rank] = found[rank] = words
        if later:
            yield later


def _ranks_by_file(identity: Identity, states: Iterable[RankState]) -> dict[int, set[int]]:
    index = {f.name: f.index for f in identity.case.files if f.kind is FileKind.WORKER}
    held: dict[int, set[int]] = defaultdict(set)
    for state in states:
        for name in state.files:
            if name in index:
                held[index[name]].add(state.rank)
    return held


def words_in_file(
    identity: Identity, file: int, ranks: Iterable[int], near: float, reach: int = FILE_REACH
) -> dict[int, Words]:
    """What some ranks said last in one file, before watchdogs spoke; `reach` lines from its end are looked at."""
    alarms, left = _alarms(identity, file), set(ranks)
    found: dict[int, Words] = {}
    for line, text in _read_backwards(identity, file, reach) if left else ():
        for rank, own in parts_of(identity, file, text):
            if rank in left and line < alarms.get(rank, line + 1) and not is_aftermath(text):
                left.discard(rank)
                found[rank] = said(identity, file, line, text, own, rank)
        if not left:
            break
    return {rank: _dated(words, near) for rank, words in found.items()}


def _dated(words: Words, near: float) -> Words:
    if words.cited.time is not None:
        return words
    stamp = stamp_near(words.text, near)
    return replace(words, cited=replace(words.cited, time=stamp.epoch)) if stamp else words


def _alarms(identity: Identity, file: int) -> dict[int, int]:
    """Per rank the line of a file from which on its watchdog speaks."""
    table = identity.case.records
    rows = watchdog_rows(table)
    own = table.rows[rows[table.rows["file"][rows] == file]]
    first: dict[int, int] = {}
    sole = identity.by_file.get(file, -1)
    for rank, line in zip(np.where(own["rank"] >= 0, own["rank"], sole).tolist(), own["line"].tolist(), strict=True):
        first[rank] = min(line, first.get(rank, line))
    return first


def _read_backwards(identity: Identity, file: int, reach: int) -> Iterator[tuple[int, str]]:
    """(line number, cleaned text) from a file's end, with a reader of its own."""
    try:
        reader = identity.case.new_reader(file)
    except LogtuiError:
        return
    try:
        last = reader.count()
        stop = max(0, last - reach)
        while last > stop:
            first = max(stop + 1, last - FILE_CHUNK + 1)
            raws = reader.lines(first, last - first + 1, BRIEF)
            lines = [clean(unwrapped(raw, reader.file.wrapping)) for raw in raws]
            yield from ((first + i, lines[i]) for i in range(len(lines) - 1, -1, -1))
            last = first - 1
    except (LogtuiError, OSError):
        return
    finally:
        reader.close()

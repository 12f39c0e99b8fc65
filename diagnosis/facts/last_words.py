"""What a rank said last before it fell silent: the lines nearest to where it stopped, read backwards from disk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.identity import Identity, key_of_file
from logtui.diagnosis.findings import Evidence
from logtui.parsers.pattern import Trait
from logtui.parsers.prefix.origin import glued_heads, named_rank, read_origin
from logtui.parsers.records.record import RecordTable
from logtui.parsers.registry import registry
from logtui.parsers.source import FileKind

REACH = 200_000
"""Lines looked at, at most, from the end of one file."""
CHUNK = 2000
MOST_PARTS = 64
"""Heads that are looked at in one line."""
UNKNOWN_FILES = 64
"""Files searched for a rank that no prefix and no file name places."""
_AFTERMATH = re.compile(
    r"ProcessGroup(?:NCCL|Gloo)|TCPStore|c10d|frame #\d+|dump the debug info|Exception raised from"
    r"|terminate called|what\(\):|^\s*$|Sending process|torch/distributed/elastic|srun: |slurmstepd"
    r"|destroy_process_group|NCCL (?:INFO|WARN)|Fatal Python error|Extension modules|most recent call first"
    r"|Killing subprocess|libc\.so|python\w*\(_Py|nccl\w+Error|Last error:|socket progress|^\W*$"
)
"""What watchdogs, launchers and teardown print after the rank itself has stopped speaking."""
DATA_WORDS = re.compile(
    r"data_?loader|next[_ ](?:data|batch)|shard|webdataset|lhotse|aistore|\bais[:/]|s3://|gs://|prefetch|tokeniz"
    r"|(?:read|load|open|fetch|download|decod)\w* (?:sample|batch|data|record|file|manifest|cut|url|object)"
    r"|sampler|\.tar\b|\.parquet|\.jsonl|\.wds",
    re.I,
)
CODE_WORDS = re.compile(
    r"checkpoint|sav(?:e|ing)|eval|validat|wandb|tensorboard|logging|garbage|\bgc\b|sleep|straggl|compil|profil|export|upload|callback"
    r"|\bflush|\bmetric|summar",
    re.I,
)


def is_aftermath(text: str) -> bool:
    """Whether a line comes from watchdogs, launchers or teardown rather than from the program."""
    return _AFTERMATH.search(text) is not None


FINISHED_WORDS = re.compile(
    r"\b(?:done|finished|completed|loaded|saved|written)\b"
    r"|\b(?:in|took|after) \d+(?:\.\d+)? ?(?:ms|s|sec|secs|seconds|min)\b",
    re.I,
)
"""The end of something: what came next is not said."""
OUT_OF_DATA = re.compile(
    r"\bepoch\W{0,3}\d+ ?(?:is |was |has )?(?:done|finished|ended|over|complete[d]?)\b"
    r"|\b(?:end of|finished|completed) epoch\b"
    r"|\b(?:data\w*|loader|iterator|shards?|split|stream)(?: is| are)? exhausted\b|\b(?:no more|(?:ran |run )?out of)"
    r" (?:data|batches|samples|shards)\b|\bStopIteration\b",
    re.I,
)
"""The end of an epoch or of the data: who says it while others still train had less to read."""
STEP_WORDS = re.compile(r"\b(?:steps?|iter(?:ation)?s?|batch(?:es)?|global_step)\b", re.I)
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
    parts, writer, begin = [], _writer_of(identity, file, text), 0
    for start, end in islice(glued_heads(text), MOST_PARTS):
        other = _writer_of(identity, file, text, start, end)
        if other is not None and other != writer:
            parts.append((writer, text[begin:start]))
            writer, begin = other, start
    return [(writer, text[begin:]), *reversed(parts)]


def _writer_of(identity: Identity, file: int, text: str, start: int = 0, end: int = 0) -> int | None:
    """By the heads up to `end`, the file, or the rank that the text from `start` on names."""
    known = identity.rank_of_origin(identity.case.files[file], read_origin(text, end))
    known = known if known is not None else identity.by_file.get(file)
    return known if known is not None else named_rank(text[start:])


def watchdog_rows(records: RecordTable) -> npt.NDArray[np.intp]:
    """Row numbers of the lines of watchdogs, in order."""
    areas = registry().areas_with(Trait.WATCHDOG)
    return records.indices(*(p.name for p in records.patterns if p.area in areas))


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

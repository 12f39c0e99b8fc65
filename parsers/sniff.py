"""What kind of file this is, from its first bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from logtui.parsers.daemons.recognise import ais_kind
from logtui.parsers.reading import PackedStream, PlainSource
from logtui.parsers.source import Compression, FileKind
from logtui.parsers.transcoding import find_coding
from logtui.parsers.wrapping import find_wrapping

HEAD_BYTES = 1 << 16
"""Bytes looked at; banners are often preceded by a page of module loads."""

_CONTENT: tuple[tuple[FileKind, bytes, re.Pattern[bytes]], ...] = (
    (FileKind.KERNEL, b"NVRM: ", re.compile(rb"NVRM: ")),
    (FileKind.KERNEL, b"kernel: [", re.compile(rb"kernel: \[ *\d+\.\d+\]")),
    (FileKind.KERNEL, b"\n[", re.compile(
        rb"\n\[(?: *\d+\.\d{6}\] (?:Linux version|\w)|\w{3} \w{3} +\d+ [\d:]{8} 20\d\d\] )")),
    (FileKind.KERNEL, b" kernel: ", re.compile(rb"\n\w{3} +\d+ [\d:]{8} \S+ kernel: ")),
    (FileKind.EVENTS, b"\n", re.compile(rb"\n(?:LAST SEEN +TYPE|NAME +READY +STATUS|Name: +\S+\n|Type +Reason +Age)")),
)  # fmt: skip
"""Searched in a head with a newline before it: each begins with a literal, or it would be tried at every byte; and
only where the literal beside it is, which is found much sooner."""
_NAMES: tuple[tuple[FileKind, re.Pattern[str]], ...] = (
    (FileKind.FLIGHT_RECORDER, re.compile(
        r"(?:nccl_trace|comm_lib_trace|fr_trace|trace_rank)[^/]*$|_dump_?\d*(?:\.\w+)?$|(?:^|/)fr/[^/]+$")),
    (FileKind.KERNEL, re.compile(r"(?:^|[/_.-])(?:dmesg|kern(?:el)?|syslog|journal)(?=[/_.-]|$)")),
    (FileKind.SCHEDULER, re.compile(r"(?:^|/)(?:slurmctld|slurmd)")),
)  # fmt: skip
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x7fELF", "a program, not a log"), (b"PK\x03\x04", "a zip archive, not a log"),
    (b"\x89PNG", "a picture, not a log"), (b"%PDF", "a PDF, not a log"),
    (b"SQLite format 3", "a database, not a log"), (b"\x93NUMPY", "an array, not a log"),
)  # fmt: skip
_DUMP_KEYS = re.compile(rb"pg_config|pg_status|profiling_name|collective_seq_id")
_DUMP_JSON = re.compile(rb'\s*(?:\{\s*"(?:comm_lib_version|nccl_\w+|entries|pg_\w+|version)"\s*:|\[\s*\{)')
"""How the JSON of a dump begins: an object whose keys are sorted, or torch 2.2's list of entries."""
_TEXTUAL = bytes(c for c in range(256) if not (c < 9 or 13 < c < 27 or 27 < c < 32))
MOST_CONTROL_IN_TEXT = 0.05
"""Of a file that is named like a dump; random bytes have twice as many."""
_HOLE = re.compile(rb"\0{8,}")
"""What a log that was truncated under its writer begins with: the writer goes on at its old offset."""
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What the head of a file shows."""

    kind: FileKind
    refused: str = ""
    """Why it is not read, if so."""
    wrapping: str = ""
    """What a collector put before every line."""
    coded: Compression = Compression.NONE
    """Where plain text is not UTF-8, what it is read as."""


def sniff(path: Path, name: str, packed: Compression) -> Sniffed:
    """Look at the first bytes of a file.

    Raises:
        PathUnreadable: if it cannot be opened.
    """
    head, damage = _head(path, packed)
    if damage and not head:
        return Sniffed(FileKind.UNKNOWN, damage)
    coding = find_coding(head) if packed is Compression.NONE else packed
    if coding is packed:
        return sniff_head(head, name)
    return replace(sniff_head(_head(path, coding)[0], name), coded=coding)


def sniff_head(head: bytes, name: str) -> Sniffed:
    """Say what a log is from its first bytes and its name."""
    by_name = next((k for k, r in _NAMES if r.search(name)), FileKind.WORKER)
    if head[:1] == b"\x80" and head[1:2] in b"\x02\x03\x04\x05":
        if by_name is FileKind.FLIGHT_RECORDER or _DUMP_KEYS.search(head):
            return Sniffed(FileKind.FLIGHT_RECORDER)
        return Sniffed(FileKind.UNKNOWN, "a pickle, but not a flight-recorder dump")
    if _DUMP_JSON.match(head) and (by_name is FileKind.FLIGHT_RECORDER or _DUMP_KEYS.search(head)):
        return Sniffed(FileKind.FLIGHT_RECORDER)
    if by_name is FileKind.FLIGHT_RECORDER and _control_share(head) > MOST_CONTROL_IN_TEXT:
        return Sniffed(FileKind.FLIGHT_RECORDER)  # its reader says what is wrong with it
    if refused := _not_text(head):
        return Sniffed(FileKind.UNKNOWN, refused)
    if by_name is FileKind.FLIGHT_RECORDER:
        by_name = FileKind.WORKER
    lines = b"\n" + head
    kind = ais_kind(head, name) or next((k for k, sign, r in _CONTENT if sign in lines and r.search(lines)), by_name)
    return Sniffed(kind, wrapping=find_wrapping(head) if kind is FileKind.WORKER else "")


def _head(path: Path, packed: Compression) -> tuple[bytes, str | None]:
    if packed is Compression.NONE:
        source = PlainSource(path)
        try:
            return source.read_at(0, HEAD_BYTES), None
        finally:
            source.close()
    stream = PackedStream(path, packed)
    try:
        return stream.read(HEAD_BYTES), stream.damage
    finally:
        stream.close()


def _not_text(head: bytes) -> str:
    for magic, why in _MAGIC:
        if head.startswith(magic):
            return why
    if head.startswith((_GZIP, _ZSTD)):
        return "packed, but its name ends neither in .gz nor in .zst"
    return "binary, not text" if _control_share(head) > 0.3 else ""


def _control_share(head: bytes) -> float:
    """Of the first bytes outside holes, how many a text has no use for; 1.0 where there is nothing else."""
    sample = (_HOLE.sub(b"", head) if b"\0" in head else head)[:8192]
    return len(sample.translate(None, _TEXTUAL)) / len(sample) if sample else float(bool(head))

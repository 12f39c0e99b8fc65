"""Walk what the user gave, once, and say what each file is; look again whether it has grown."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from logtui.parsers.daemons.recognise import ais_kind
from logtui.parsers.errors import ArchiveRefused, NothingToRead, SourceError
from logtui.parsers.files.archive import Refused, is_archive, open_archive
from logtui.parsers.files.case import Case
from logtui.parsers.files.case_file_mark import is_case_file
from logtui.parsers.files.found import Found
from logtui.parsers.files.listing import Listing, list_files
from logtui.parsers.files.reading import PackedStream, PlainSource
from logtui.parsers.files.transcoding import find_codings, recoded_head
from logtui.parsers.files.utf16 import LOOKED_AT, goes_on_in_utf16, is_garbled
from logtui.parsers.numbers import epoch, of_field
from logtui.parsers.prefix.wrapping import find_wrapping
from logtui.parsers.source import EMPTY, Coding, Compression, Discovery, FileKind, LogFile, NameHints, Unread

if TYPE_CHECKING:
    from concurrent.futures import Executor

_PACKED = {
    ".gz": Compression.GZIP, ".zst": Compression.ZSTD, ".bz2": Compression.BZIP2, ".xz": Compression.XZ,
    ".lzma": Compression.XZ,
}  # fmt: skip
LOOKED_FOR = (
    "worker logs (SLURM .out/.err, torchrun stderr.log, *.log, *.txt), AIStore daemon logs, "
    "kernel logs, flight-recorder dumps"
)


LOOKED_AT_TOGETHER = 32
"""Files that one process looks at in one go."""


@dataclass(frozen=True, slots=True)
class Look:
    """The files of a listing, being looked at: here and when asked, or by others since this was made."""

    unread: tuple[Unread, ...]
    files: tuple[Found | Unread, ...]
    """Those that were seen before under another name are unread."""
    verdicts: Iterator[list[LogFile | Unread]]
    """Of each file that is not unread, in order."""


def look(listing: Listing, executor: Executor | None = None) -> Look:
    """Begin to look at files, in the processes of an executor if one is given."""
    files = tuple(_distinct(listing.files))
    found = [file for file in files if isinstance(file, Found)]
    return Look(listing.unread, files, map(_classified, found) if executor is None else _elsewhere(found, executor))


def _elsewhere(found: Sequence[Found], executor: Executor) -> Iterator[list[LogFile | Unread]]:
    """What processes say of files; what they leave to be said because one of them died is said here."""
    from concurrent.futures import BrokenExecutor

    anywhere = [replace(file, path=file.path.absolute()) for file in found]
    try:
        some = executor.map(_classified, anywhere, chunksize=LOOKED_AT_TOGETHER)
    except BrokenExecutor:
        return map(_classified, found)

    def verdicts() -> Iterator[list[LogFile | Unread]]:
        told = 0
        try:
            for verdict in some:
                yield verdict
                told += 1
        except BrokenExecutor:
            yield from map(_classified, found[told:])

    return verdicts()


def discover(paths: Sequence[Path], seen: Look | None = None) -> Discovery:
    """Walk directories and take files as given; recognise each by content first, name second.

    `seen` are the files of the paths where somebody has begun to look at them.

    Raises:
        PathMissing: a given path does not exist.
        PathUnreadable: a given path cannot be listed or opened.
        NothingToRead: no file looks like a log; the message says what was looked for.
    """
    seen = seen or look(list_files(paths))
    unread = list(seen.unread)
    files: list[LogFile] = []
    for found in seen.files:
        if isinstance(found, Unread):
            unread.append(found)
            continue
        for verdict in next(seen.verdicts):
            if isinstance(verdict, Unread):
                unread.append(verdict)
            else:
                files.append(replace(verdict, index=len(files), path=found.path))
    if not files:
        what = f"{len(unread)} files seen, none of them readable as a log" if unread else "no files there"
        raise NothingToRead(paths[0], f"{what}; looked for {LOOKED_FOR}")
    return Discovery(tuple(files), tuple(unread))


def _distinct(found: Iterable[Found]) -> Iterator[Found | Unread]:
    """Each file once, however many links and given paths lead to it: its lines must not count twice."""
    names: dict[tuple[int, int], str] = {}
    for file in found:
        key = file.info.st_dev, file.info.st_ino
        if key in names:
            yield Unread(file.name, f"the same file as {names[key]}")
            continue
        names[key] = file.name
        yield file


def _classified(found: Found) -> list[LogFile | Unread]:
    return list(_classify(found))


def _classify(found: Found) -> Iterator[LogFile | Unread]:
    mode = found.info.st_mode
    if not stat.S_ISREG(mode):
        kind = "named pipe" if stat.S_ISFIFO(mode) else "socket" if stat.S_ISSOCK(mode) else "device"
        yield Unread(found.name, f"a {kind}, not a file")
        return
    if found.info.st_size == 0:
        yield Unread(found.name, EMPTY)
        return
    try:
        if found.path.suffix == ".zst" and is_case_file(found.path):
            yield Unread(found.name, "a case file of logtui, which is opened by itself")
            return
        if is_archive(found.path):
            yield from _members(found)
            return
        packed = _PACKED.get(found.path.suffix, Compression.NONE)
        yield _as_log(found, packed, sniff(found.path, found.name, packed))
    except (SourceError, ArchiveRefused) as error:
        yield Unread(found.name, error.why if isinstance(error, SourceError) else str(error))


def _as_log(found: Found, packed: Compression, seen: Sniffed) -> LogFile | Unread:
    if seen.refused:
        return Unread(found.name, seen.refused)
    return LogFile(
        index=0, path=found.path, name=found.name, size=found.info.st_size, mtime=epoch(found.info.st_mtime),
        kind=seen.kind, compression=packed, inode=found.info.st_ino, hints=read_name(found.name),
        wrapping=seen.wrapping, codings=seen.codings,
    )  # fmt: skip


def _members(found: Found) -> Iterator[LogFile | Unread]:
    """The logs inside an archive, shown as `archive.tar.gz!member`."""
    for member in open_archive(found.path).members(HEAD_BYTES):
        name = "!".join((found.name, *member.parts))
        if isinstance(member, Refused):
            yield Unread(name, member.why)
            continue
        seen = sniff_text(member.head, name) if member.size else Sniffed(FileKind.UNKNOWN, EMPTY)
        if seen.refused:
            yield Unread(name, seen.refused)
            continue
        if member.damage:
            yield Unread(name, member.damage)
        yield LogFile(
            index=0, path=found.path, name=name, size=member.size, mtime=member.mtime or epoch(found.info.st_mtime),
            kind=seen.kind, compression=Compression.TAR, inode=found.info.st_ino,
            hints=read_name(name.replace("!", "/")), member=member.parts, wrapping=seen.wrapping,
            codings=seen.codings,
        )  # fmt: skip


# -- What has changed since: jobs hang for half an hour before anything says so


@dataclass(frozen=True, slots=True)
class LogChanges:
    """How the files below some paths differ from those that were read."""

    grown: int = 0
    """Files that are longer."""
    bytes: int = 0
    """By so much, all together."""
    new: int = 0
    """Files that were not there, or held nothing."""
    replaced: int = 0
    """Files that are shorter, or others by the same name."""
    gone: int = 0

    def __bool__(self) -> bool:
        return bool(self.grown or self.new or self.replaced or self.gone)


def changes_since(paths: Sequence[Path], case: Case) -> LogChanges:
    """Look at names and sizes, and open nothing. Members of archives are taken to stay what they are.

    Raises:
        SourceError: if a given path is gone or cannot be listed.
    """
    found = {file.name: file for file in list_files(paths).files}
    known = (*case.files, *(case.window.left_out if case.window else ()))
    plain = [file for file in known if not file.member]
    there = [(file, found[file.name].info) for file in plain if file.name in found]
    replaced = [file for file, info in there if info.st_size < file.stored or info.st_ino != file.inode]
    by = [info.st_size - file.stored for file, info in there if info.st_size > file.stored and file not in replaced]
    seen = {file.name.partition("!")[0] if file.member else file.name for file in known}
    seen |= {unread.file for unread in case.unread if unread.why != EMPTY}
    new = [file for file in found.values() if file.name not in seen and file.info.st_size]
    return LogChanges(len(by), sum(by), len(new), len(replaced), len(plain) - len(there))


# -- What a name says

_RULES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"globalrank-(\d+)_localrank-(\d+)"), ("rank", "local_rank")),
    (re.compile(r"attempt_(\d+)/(\d+)/(?:filtered_)?(stdout|stderr)\.log$"), ("attempt", "local_rank", "stream")),
    (re.compile(r"(?:^|[/_.-])local[_-]?rank[_.-]?(\d+)(?=[/_.-]|$)", re.I), ("local_rank",)),
    (re.compile(r"(?:^|(?<!local)(?<!lora)[/_.-])(?:global[_-]?)?rank[_.-]?(\d+)(?=[/_.-]|$)", re.I), ("rank",)),
    (re.compile(r"logs?-rank(\d+)"), ("rank",)),
    (
        re.compile(  # a date and a time of day are neither
            r"(?:^|/)(?:error|err|output|out|log)-(?!20\d{6}-\d{6}\.)(\d+)-(\d+)\.(?:out|err|log)$"
        ),
        ("job", "node"),
    ),
    (re.compile(r"(?:^|/)slurm-(\d+)(?:_\d+)?\.(?:out|err|log)$"), ("job",)),
    (re.compile(r"-(\d{1,9})-(\d{1,5})\.(?:err|out|log)$"), ("job", "task")),
    (re.compile(r"(?:^|/)(?:node|worker|host)[_-]?(\d+)\.(?:log|err|out|txt)$"), ("node",)),
)
_NUMBERED = re.compile(r"(?:^|/)workerlog\.(\d{1,4})(?:\.(?:gz|zst|bz2|xz|lzma))?$")
"""Paddle's launcher numbers the logs of a node's processes where others number rotated ones."""
_HOST = re.compile(r"(?:^|/)(?:dmesg|kernel|syslog|messages|journal)[_.-]([A-Za-z][\w-]*\d[\w-]*)")
_POD = re.compile(r"(?:^|/)([a-z][a-z0-9-]*-(?:worker|master|launcher|node)-\d+)\.(?:log|txt|out|err)$")
"""A file of one pod's output is called after the pod, which is its host."""
_STREAM = re.compile(r"(?:^|[/_.-])(stderr|stdout|error|err|output)(?=[/_.-]|$)")


def read_name(name: str) -> NameHints:
    """Hints from a path relative to the given directory."""
    whole = PurePath(name).as_posix()
    path = re.sub(r"\.(?:gz|zst|bz2|xz|lzma|\d+)$", "", whole)
    found: dict[str, str] = {}
    if m := _NUMBERED.search(whole):
        found["local_rank"] = m[1]
    for regex, keys in _RULES:
        if (m := regex.search(path)) is not None:
            for key, value in zip(keys, m.groups(), strict=True):
                found.setdefault(key, value)
    if m := _HOST.search(path) or _POD.search(path):
        found["host"] = m[1]
    if "stream" not in found and (m := _STREAM.search(path)):
        found["stream"] = "stderr" if m[1].startswith(("stderr", "err")) else "stdout"
    if "rank" in found or "node" in found:
        found.pop("task", None)

    def number(key: str) -> int | None:
        return of_field(key, found.get(key))

    return NameHints(
        rank=number("rank"), local_rank=number("local_rank"), node=number("node"), task=number("task"),
        host=found.get("host"), job=found.get("job"), attempt=number("attempt"), stream=found.get("stream"),
    )  # fmt: skip


# -- What the first bytes say

HEAD_BYTES = 1 << 16
"""Bytes looked at; banners are often preceded by a page of module loads."""

_CONTENT: tuple[tuple[FileKind, bytes, re.Pattern[bytes]], ...] = (
    (FileKind.KERNEL, b"NVRM: ", re.compile(rb"NVRM: ")),
    (FileKind.KERNEL, b"kernel: [", re.compile(rb"kernel: \[ *\d+\.\d+\]")),
    (FileKind.KERNEL, b"\n[", re.compile(
        rb"\n\[(?: *\d+\.\d{6}\] (?:Linux version|\w)"
        rb"|\w{3} \w{3} +\d+ [\d:]{8} 20\d\d\] (?!\[?(?:INFO|DEBUG|TRACE|WARN(?:ING)?|ERROR|CRITICAL|FATAL)\b))")),
    (FileKind.KERNEL, b" kernel: ", re.compile(rb"\n\w{3} +\d+ [\d:]{8} \S+ kernel: ")),
    (FileKind.EVENTS, b"\n", re.compile(
        rb"\n(?:LAST SEEN +TYPE|NAME +READY +STATUS|Name: +\S+\n(?:Namespace|Roles): |Type +Reason +Age)")),
)  # fmt: skip
"""Searched in a head with a newline before it: each begins with a literal, or it would be tried at every byte; and
only where the literal beside it is, which is found much sooner."""
_NAMES: tuple[tuple[FileKind, re.Pattern[str]], ...] = (
    (FileKind.FLIGHT_RECORDER, re.compile(
        r"(?:nccl_trace|comm_lib_trace|fr_trace|trace_rank)[^/]*$|_dump_?\d*(?:\.\w+)?$|(?:^|/)fr/[^/]+$")),
    (FileKind.KERNEL, re.compile(r"(?:^|[/_.-])(?:dmesg|kern(?:el)?|syslog|journal)(?=[/_.-]|$)")),
    (FileKind.SCHEDULER, re.compile(r"(?:^|/)(?:slurmctld|slurmd)")),
)  # fmt: skip
_OF_UNITS = re.compile(r"(?:^|[/_.-])(?:syslog|journal(?:ctl)?)(?=[/_.-]|$)")
_OF_KERNELS = re.compile(r"(?:^|[/_.-])kernel(?=[/_.-]|$)")
_BY_KERNEL = re.compile(rb"\bkernel: |\n(?:kern *:\w+ *: )?\[ *\d+\.\d+\]")
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x7fELF", "a program, not a log"), (b"PK\x03\x04", "a zip archive, not a log"),
    (b"\x89PNG", "a picture, not a log"), (b"%PDF", "a PDF, not a log"),
    (b"SQLite format 3", "a database, not a log"), (b"\x93NUMPY", "an array, not a log"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it first"), (b"Rar!\x1a\x07", "a rar archive: unpack it first"),
    (b"\x04\x22\x4d\x18", "packed by lz4: unpack it first"), (b"\x1f\x9d", "packed by compress: unpack it first"),
    (b"LZIP\x01", "packed by lzip: unpack it first"), (b"\x89LZO\0", "packed by lzop: unpack it first"),
)  # fmt: skip
_DUMP_KEYS = re.compile(rb"pg_config|pg_status|profiling_name|collective_seq_id")
_DUMP_JSON = re.compile(rb'\s*(?:\{\s*"(?:comm_lib_version|nccl_\w+|entries|pg_\w+|version)"\s*:|\[\s*\{)')
"""How the JSON of a dump begins: an object whose keys are sorted, or torch 2.2's list of entries."""
# old progress bars go back by backspaces
_TEXTUAL = bytes(c for c in range(256) if not (c < 8 or 13 < c < 27 or 27 < c < 32))
MOST_CONTROL_IN_TEXT = 0.05
"""Of a file that is named like a dump; random bytes have twice as many."""
_HOLE = re.compile(rb"\0{8,}")
"""What a log that was truncated under its writer begins with: the writer goes on at its old offset."""
NOT_TEXT = "binary, not text"
_PICKLE = b"\x80"
_GZIP, _ZSTD, _XZ = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0"
_BZIP2 = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What the head of a file shows."""

    kind: FileKind
    refused: str = ""
    """Why it is not read, if so."""
    wrapping: str = ""
    """What a collector put before every line."""
    codings: tuple[Coding, ...] = ()
    """What its text has to be turned back from."""


def sniff(path: Path, name: str, packed: Compression) -> Sniffed:
    """Look at the first bytes of a file.

    Raises:
        PathUnreadable: if it cannot be opened.
    """
    head, damage = _head(path, packed)
    if damage and not head:
        return Sniffed(FileKind.UNKNOWN, damage)
    seen = sniff_text(head, name)
    if packed is Compression.NONE and not (seen.codings or seen.refused) and goes_on_in_utf16(_end(path, len(head))):
        return replace(seen, codings=(Coding.UTF16,))
    return seen


def sniff_text(head: bytes, name: str) -> Sniffed:
    """Say what a log is from its first bytes, unpacked but in whatever coding, and its name."""
    codings = () if head[:1] == _PICKLE else find_codings(head)
    if not codings:
        return sniff_head(head, name)
    text = recoded_head(head, codings)
    if Coding.UTF16 in codings and is_garbled(text.decode("utf-8", "replace")):
        return Sniffed(FileKind.UNKNOWN, NOT_TEXT)
    return replace(sniff_head(text, name), codings=codings)


def sniff_head(head: bytes, name: str) -> Sniffed:
    """Say what a log is from the first bytes of its text and its name."""
    by_name = next((k for k, r in _NAMES if r.search(name)), FileKind.WORKER)
    if head[:1] == _PICKLE and head[1:2] in b"\x02\x03\x04\x05":
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
    if by_name is FileKind.KERNEL and _OF_UNITS.search(name) and b"kernel" not in head:
        by_name = FileKind.WORKER  # the journal of one unit, which is the program
    if by_name is FileKind.KERNEL and _OF_KERNELS.search(name) and not _BY_KERNEL.search(lines):
        by_name = FileKind.WORKER  # of kernels that a program measures, or learns with
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


def _end(path: Path, known: int) -> bytes:
    """The last bytes of a file, none of those that are known."""
    if known < HEAD_BYTES:
        return b""
    source = PlainSource(path)
    try:
        return source.read_at(max(known, source.size() - LOOKED_AT), LOOKED_AT)
    finally:
        source.close()


def _not_text(head: bytes) -> str:
    for magic, why in _MAGIC:
        if head.startswith(magic):
            return why
    if head.startswith((_GZIP, _ZSTD, _XZ)) or _BZIP2.match(head):
        return "packed, but its name does not say how: .gz, .zst, .bz2 and .xz are read"
    return NOT_TEXT if _control_share(head) > 0.3 else ""


def _control_share(head: bytes) -> float:
    """Of the first bytes outside holes, how many a text has no use for; 1.0 where there is nothing else."""
    sample = (_HOLE.sub(b"", head) if b"\0" in head else head)[:8192]
    return len(sample.translate(None, _TEXTUAL)) / len(sample) if sample else float(bool(head))

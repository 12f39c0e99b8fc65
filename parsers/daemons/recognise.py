"""Which files are daemon logs, and whose: by their names, and by their first bytes.

The host in a file name is shortened and may be shared by several nodes; archives are named by node ID. The
title line inside decides; names only help where it is missing.
"""

from __future__ import annotations

from dataclasses import dataclass

from logtui.parsers.regex import regex
from logtui.parsers.source import FileKind

_FILE = regex(
    r"(?:^|[/!])(?:ais)?(?P<role>target|proxy)\.(?P<host>[^/!]+?)\.(?P<level>INFO|ERROR)"
    r"\.(?P<mo>\d\d)(?P<d>\d\d)-(?P<h>\d\d)(?P<mi>\d\d)(?P<s>\d\d)\.(?P<pid>\d{1,9})(?:\.gz|\.zst)?$"
)
_NODE = regex(r"(?:^|[/!])(?:ais)?(?P<role>target|proxy)-(?P<id>[A-Za-z0-9_-]{5,})(?:\.tar\.gz|\.tgz|\.tar)?(?=[/!]|$)")
_LINK = regex(r"(?:^|[/!])(?:ais)?(?P<role>target|proxy)\.(?P<level>INFO|ERROR)$")
_LINES = 60
"""Lines looked at where there is no header."""
_HEADER = regex(rb"(?:Started up|Rotated) at 20\d\d/\d\d/\d\d \d\d:\d\d:\d\d, host \S+, go\d\S* for \w+/\w+")
_HEADER_WORDS = (b"Started up at 20", b"Rotated at 20")
_GLOG_HEADER = b"Log line format: L hh:mm:ss.uuuuuu file:line] msg"
_STAMP = rb"[IWE] (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6} \S"
_ANY_RECORD = regex(_STAMP)
_RECORD = regex(rb"(?:.{1,120}? )??" + _STAMP)
_TITLE = regex(
    rb"Node ([tp])\[|(?:loaded|initialized|generated) (t)id |Initialized (p)\["
    rb"|Starting ([tp])(?:argetstats|roxystats|alive)"
)
_HOST = regex(rb", host [\w.-]*?(t|p)(?:arget|roxy)")
_TARGET = regex(
    rb"\d{6} (?:\S+: \d+(?:\.\d+)?[KMGT]?i?B/s, \S+, \S+/s, \S+, \d+%|\S+: used \d+%, avail)"
    rb"|getbatch\.|stream\.in\.|get\.ns\.total|x-get-batch\[|shared-dm|get\.redir\.ns"
)
_PROXY = regex(
    rb"\d{6} \{(?:get\.n:|lst\.n:|kalive)[^}\n]{0,400}state\.flags|joined t\["
    rb"|name ais-proxy|-kalive t\[|p\[\w+\] primary"
    rb"| (?:proxy|metasync)(?:\.go)?:\d+"
)
_OTHERS = regex(rb"\[rank\d+\]:|Traceback \(most recent call last\)|NCCL INFO|torch/distributed")


@dataclass(frozen=True, slots=True)
class DaemonName:
    """What a path says; "" and None where it says nothing."""

    role: str = ""
    node: str = ""
    """Node ID, from an archive, a directory or a single download."""
    host: str = ""
    """Shortened host name, from the file itself."""
    level: str = "INFO"
    """`ERROR` files hold the W and E records of the INFO files once more."""
    stamp: tuple[int, int, int] | None = None
    """Month, day and second of the day at which the file was made."""
    pid: int | None = None


def read_daemon_name(name: str) -> DaemonName:
    """Read a path as shown to people, archive members included."""
    nodes = list(_NODE.finditer(name))
    node = nodes[-1] if nodes else None
    file, link = _FILE.search(name), _LINK.search(name)
    role = file["role"] if file else link["role"] if link else node["role"] if node else ""
    level = file["level"] if file else link["level"] if link else "INFO"
    if file is None:
        return DaemonName(role, node["id"] if node else "", "", level)
    clock = int(file["h"]) * 3600 + int(file["mi"]) * 60 + int(file["s"])
    stamp = (int(file["mo"]), int(file["d"]), clock)
    return DaemonName(role, node["id"] if node else "", file["host"], level, stamp, int(file["pid"]))


def folder(name: str) -> str:
    """The directory or archive a file lies in; files of one daemon lie together."""
    at = max(name.rfind("/"), name.rfind("!"))
    return name[:at] if at >= 0 else ""


def base(name: str) -> str:
    """The file's own name."""
    return name[max(name.rfind("/"), name.rfind("!")) + 1 :]


def single_download(name: str) -> bool:
    """Whether a file is what `ais log get NODE` leaves: the newest file only, named by the node."""
    return read_daemon_name(base(name)).node != "" and "!" not in name


def ais_kind(head: bytes, name: str) -> FileKind | None:
    """The daemon kind of a log whose first bytes are `head`; None for other logs.

    A header line, or records in the majority, make it a daemon log. Collectors' prefixes may stand before each line.
    """
    if not _has_header(head) and not _mostly_records(head, name):
        return None
    return _role(head, name)


def _has_header(head: bytes) -> bool:
    if _GLOG_HEADER in head:
        return True
    return any((at := head.find(words)) >= 0 and _HEADER.match(head, at) for words in _HEADER_WORDS)


def _mostly_records(head: bytes, name: str) -> bool:
    if not _ANY_RECORD.search(head, 0, 8192):
        return False
    lines = [line for line in head[:8192].split(b"\n")[:_LINES] if line]
    hits = sum(_RECORD.match(line) is not None for line in lines)
    if not hits or _OTHERS.search(head) is not None:
        return False
    return hits * 2 > len(lines) or (read_daemon_name(name).role != "" and hits * 10 > len(lines))


def _role(head: bytes, name: str) -> FileKind:
    if m := _TITLE.search(head) or _HOST.search(head):
        letter = next(g for g in m.groups() if g)
        return FileKind.AIS_TARGET if letter == b"t" else FileKind.AIS_PROXY
    named = read_daemon_name(name).role
    if named:
        return FileKind.AIS_TARGET if named == "target" else FileKind.AIS_PROXY
    if _TARGET.search(head) is None and _PROXY.search(head) is not None:
        return FileKind.AIS_PROXY
    return FileKind.AIS_TARGET

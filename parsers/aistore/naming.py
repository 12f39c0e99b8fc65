"""What names say: of daemon log files, of downloaded archives and the directories made from them.

The host in a file name is shortened and may be shared by several nodes; archives are named by node ID. The
title line inside decides; names only help where it is missing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FILE = re.compile(
    r"(?:^|[/!])(?:ais)?(?P<role>target|proxy)\.(?P<host>[^/!]+?)\.(?P<level>INFO|ERROR)"
    r"\.(?P<mo>\d\d)(?P<d>\d\d)-(?P<h>\d\d)(?P<mi>\d\d)(?P<s>\d\d)\.(?P<pid>\d+)(?:\.gz|\.zst)?$"
)
_NODE = re.compile(
    r"(?:^|[/!])(?:ais)?(?P<role>target|proxy)-(?P<id>[A-Za-z0-9_-]{5,})(?:\.tar\.gz|\.tgz|\.tar)?(?=[/!]|$)"
)
_LINK = re.compile(r"(?:^|[/!])(?:ais)?(?P<role>target|proxy)\.(?P<level>INFO|ERROR)$")


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

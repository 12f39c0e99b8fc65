"""DLRover's report of a node's failed processes: JSON by global rank, on one line or pretty-printed.

`{"784": {"local_rank": 0, "exitcode": -6, "message": …, "datetime": …}, …}`, as the agent sends it to the job master
(dlrover 0.2 to 0.4). It is matched, not decoded: copies are abridged and cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LINES = 64
"""Lines of a report that are read."""
_ENTRY = re.compile(
    r'"(?P<rank>\d{1,7})": ?\{\s{0,40}"local_rank": ?(?P<local>\d+),\s{0,40}"exitcode": ?(?P<code>-?\d+)'
)


@dataclass(frozen=True, slots=True)
class ProcessError:
    """One process of the report."""

    line: int
    """Index of the line with its exit code, among those given."""
    rank: int
    """Global rank."""
    local_rank: int
    exitcode: int


def read_errors(lines: Sequence[str]) -> Iterator[ProcessError]:
    """Processes named in a report; `lines` begin with the one that announces it."""
    text = "\n".join(lines[:LINES])
    for m in _ENTRY.finditer(text):
        yield ProcessError(text.count("\n", 0, m.end()), int(m["rank"]), int(m["local"]), int(m["code"]))

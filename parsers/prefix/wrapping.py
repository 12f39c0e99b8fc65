"""What something between the job and the file put before every line: a collector, a pager, a mail.

The job did not print it, so no declared format knows it. It is recognised from a file's head, once, where nearly all
lines have it, and taken off before a line is matched. What it says of the time and the writer is used where the line
itself says nothing. Wrappings stack: `docker compose logs --timestamps` puts two before a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise

LOOKED_AT = 300
"""Lines of a head, without blank ones."""
LEAST = 3
SHARE = 0.9
"""Lines that must have a wrapping: a collector leaves out none, but a file may begin with a banner."""
DEPTH = 3
"""Wrappings around one line."""
_FIGURES = re.compile(rb"[-+\d.]+")
_LEFT_OUT = frozenset((b"", b"...", b"[...]", "…".encode()))
"""What stands for nothing, or for lines that somebody left out."""
POD = r"\[pod/(?P<writer>[\w.-]+)/[\w.-]+\]"
"""What `kubectl logs --prefix` writes."""
ISO = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)"
"""A time with date and zone, as collectors write it."""


@dataclass(frozen=True, slots=True)
class Wrapping:
    """One kind, declared."""

    name: str
    written_by: str
    regex: str
    """From the first byte of a line to the first of what the job printed. Groups: `writer`, a pod, a container or a
    host; `file`; `rank`; `count`, which grows from line to line."""
    samples: tuple[str, ...]
    """Wrappings alone, as they are written."""

    @property
    def whole(self) -> str:
        """The regex, with the last blank optional where the line ends: editors and mails take it away."""
        return f"{self.regex[:-1]}(?: |\\r?$)" if self.regex.endswith(" ") else self.regex


WRAPPINGS = (
    Wrapping(
        "cri", "containerd and CRI-O, below /var/log/pods",
        ISO + r" std(?:out|err) [FP] ",
        ("2026-03-04T05:06:07.123456789Z stderr F ", "2026-03-04T05:06:07.12+01:00 stdout P "),
    ),
    Wrapping(
        "compose", "docker compose logs",
        r"(?P<writer>\w[\w.-]*) {2,}\| ",
        ("trainer-1   | ", "node_2  | "),
    ),
    Wrapping(
        "pod", "kubectl logs --prefix",
        POD + " ",
        ("[pod/llm-worker-3/pytorch] ",),
    ),
    Wrapping(
        "stern", "stern",
        r"(?P<writer>[a-z][a-z0-9-]*-(?:\d{1,5}|[a-f0-9]{8,10}-[a-z0-9]{5})) (?:› )?[a-z][a-z0-9-]{2,} ",
        ("llm-worker-3 pytorch ", "llm-5d8f7c9b6d-x2vqk trainer "),
    ),
    Wrapping(
        "journal", "journalctl, of a unit that runs the job",
        r"(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|" + ISO + r") (?P<writer>[\w.-]+) "
        r"(?:python[\d.]*|torchrun|deepspeed|accelerate|env|(?:ba)?sh|[\w.-]+\.sh|srun|dockerd?|podman|conmon|[0-9a-f]{12})"
        r"\[\d+\]: ",
        ("Mar  4 05:06:07 node007 python3.11[4242]: ", "2026-03-04T05:06:07+0100 node007 torchrun[4242]: "),
    ),
    Wrapping(
        "pals", "mpiexec --label of HPE Cray",
        r"(?P<writer>x\d+c\d+s\d+b\d+n\d+)(?:\.[\w.-]+)? (?P<rank>\d{1,6}): ",
        ("x3004c0s13b1n0.hsn.cm.example.org 57: ", "x3004c0s13b1n0 0: "),
    ),
    Wrapping(
        "grep", "grep -H, with or without -n",
        r"(?P<file>[\w./@+-]+\.(?:log|out|err|txt|stderr|stdout|[oe]\d{3,10})(?:\.\d{1,4})?"
        r"|(?:[\w./@+-]+/)?(?:workerlog\.\d{1,4}|log\.[A-Za-z]\w{2,40}|stdout|stderr))"
        r"[:-](?:\d+[:-])?",
        ("logs/node007.err:153:", "train.log:", "workerlog.0:153:", "fit.o4821:153:", "log.simpleFoam:66:",
         "train.log.1:", "stderr:153:"),
    ),
    Wrapping(
        "numbers", "cat -n, nl, less -N",
        r" *(?P<count>\d{1,9})(?:\t|: |\| |  )",
        ("    17\t", "17: "),
    ),
    Wrapping(
        "grep-numbers", "grep -n in one file",
        r"(?P<count>\d{1,9}):",
        ("17:",),
    ),
    Wrapping(
        "stream", "aws logs tail, of AWS Batch, ECS and SageMaker",
        ISO + r" (?:[\w.-]{1,128}/){1,2}(?P<writer>[0-9a-f]{12,40}|algo-\d{1,5}-\d{8,12}) ",
        ("2026-03-04T05:06:07.123000+00:00 train/default/0a1b2c3d4e5f60718293a4b5c6d7e8f9 ",
         "2026-03-04T05:06:07.123000+00:00 llm-4821/algo-1-1772600000 "),
    ),
    Wrapping(
        "timestamps", "kubectl logs --timestamps, docker logs -t, CI systems",
        ISO + r" ",
        ("2026-03-04T05:06:07.123456789Z ", "2026-03-04T05:06:07+00:00 "),
    ),
    Wrapping(
        "tab", "an editor that indents the log",
        r"\t",
        ("\t",),
    ),
    Wrapping(
        "quote", "a mail or a page that quotes the log",
        r"> ",
        ("> ",),
    ),
)  # fmt: skip
"""Tried in this order: a bare time comes after what begins with one."""


@lru_cache(maxsize=1)
def _known() -> tuple[tuple[Wrapping, re.Pattern[bytes]], ...]:
    return tuple((w, re.compile(w.whole.encode())) for w in WRAPPINGS)


def find_wrapping(head: bytes) -> str:
    """The wrappings of a file, outermost first, with a blank between, and a `+` behind those that name more than one
    writer; "" where there is none."""
    lines = _first_lines(head)
    names: list[str] = []
    while len(names) < DEPTH and (found := _outermost(lines)):
        wrapping, matches = found
        names.append(wrapping.name + "+" * (len(_writers(matches)) > 1))
        lines = [body for m in matches if (body := m.string[m.end() :]).strip()]
    return " ".join(names)


def _first_lines(head: bytes) -> list[bytes]:
    lines = head.split(b"\n", 4 * LOOKED_AT)
    if len(lines) > 1:
        lines.pop()  # cut where the head ends
    return list(islice((line for line in lines if line.strip() not in _LEFT_OUT), LOOKED_AT))


def _outermost(lines: Sequence[bytes]) -> tuple[Wrapping, list[re.Match[bytes]]] | None:
    if len(lines) < LEAST:
        return None
    some = lines[:: len(lines) // LEAST]
    for wrapping, regex in _known():
        if not any(regex.match(line) for line in some):
            continue
        found = [m for line in lines if (m := regex.match(line))]
        if len(found) >= max(LEAST, SHARE * len(lines)) and _holds(found):
            return wrapping, found
    return None


def _holds(found: Sequence[re.Match[bytes]]) -> bool:
    """Whether the parts that vary do so as they should: few writers, and numbers that grow, before lines of several
    kinds: those of one kind alone count themselves."""
    if "count" in found[0].re.groupindex:
        if len({_FIGURES.sub(b"", m.string[m.end() :]) for m in found}) < LEAST:
            return False
        numbers = [int(m["count"]) for m in found]
        grown = sum(0 < b - a <= 3 for a, b in pairwise(numbers))
        return grown >= SHARE * (len(numbers) - 1)
    return len(_writers(found)) <= max(1, len(found) // 2)


def _writers(found: Sequence[re.Match[bytes]]) -> set[tuple[bytes, ...]]:
    names = [name for name in ("writer", "file") if name in found[0].re.groupindex]
    return {tuple(m[name] for name in names) for m in found}


@dataclass(frozen=True, slots=True)
class Wrapped:
    """What stands before the text of one line."""

    text: str = ""
    """As long as it is in bytes: it is ASCII."""
    writer: str = ""
    """Only where there is more than one in the file."""
    rank: int = -1


BARE = Wrapped()
"""A line without a wrapping."""


class Unwrapper:
    """Takes the wrappings off the lines of a file."""

    def __init__(self, wrapping: str) -> None:
        """`wrapping` is what `find_wrapping` said of the file."""
        self._regex = re.compile(_nested(name.rstrip("+") for name in wrapping.split()).encode())
        groups = self._regex.groupindex
        self._own = next((g for g in ("writer", "file") if g in groups and "+" in wrapping), None)
        self._has_rank = "rank" in groups

    def size(self, raw: bytes) -> int:
        """Bytes before the text of a line; 0 where it has no wrapping."""
        m = self._regex.match(raw)
        return m.end() if m else 0

    def read(self, raw: bytes) -> Wrapped:
        """What stands before the text of a line."""
        if (m := self._regex.match(raw)) is None:
            return BARE
        writer = m["writer"].decode("ascii", "replace") if self._own == "writer" else ""
        return Wrapped(m[0].decode("ascii", "replace"), writer, int(m["rank"]) if self._has_rank else -1)

    def split(self, raw: bytes) -> tuple[Wrapped, bytes]:
        """What stands before the text of a line, and the text."""
        wrapped = self.read(raw)
        return wrapped, raw[len(wrapped.text) :]

    def body(self, raw: bytes) -> bytes:
        """A line without its wrappings."""
        return raw[self.size(raw) :]

    def bodies(self, lines: Sequence[bytes], own: bytes) -> list[bytes]:
        """Lines without their wrappings. Those of other writers than wrote `own` get a mark that `origin.split` knows,
        so that nobody takes them for the same writer's."""
        if self._own is None:
            return [self.body(raw) for raw in lines]
        mine = self._named(own)
        return [self.body(raw) if self._named(raw) == mine else FOREIGN + self.body(raw) for raw in lines]

    def _named(self, raw: bytes) -> bytes | None:
        m = self._regex.match(raw)
        return m[self._own] if m and self._own else None


FOREIGN = b"[pod/another/writer] "


def _nested(names: Iterable[str]) -> str:
    """The wrappings as one regex; of groups of the same name the outermost stays."""
    known = {w.name: w for w in WRAPPINGS}
    seen: set[str] = set()
    parts = []
    for name in names:
        parts.append(_GROUP.sub(lambda m: "(?:" if m[1] in seen else m[0], known[name].whole))
        seen.update(_GROUP.findall(known[name].regex))
    return "".join(parts)


_GROUP = re.compile(r"\(\?P<(\w+)>")


@lru_cache(maxsize=64)
def unwrapper(wrapping: str) -> Unwrapper | None:
    """The one for a file's `wrapping`; None where there is none."""
    return Unwrapper(wrapping) if wrapping else None


def unwrapped(raw: bytes, wrapping: str) -> bytes:
    """A line of a file with this `wrapping`, without it."""
    known = unwrapper(wrapping)
    return known.body(raw) if known else raw

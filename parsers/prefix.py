"""The prefixes that stack before a line's own text, as a key that tells the writers of a shared file apart."""

from __future__ import annotations

import re
from dataclasses import dataclass

from logtui.parsers.wrapping import ISO

_STAMP = re.compile(ISO + r" (?:std(?:out|err) [FP] )?")
"""A collector's time on some lines only, too few for a file's wrapping: it differs from line to line and is no part of
the key."""
_OUTER = re.compile(
    r"\[pod/[\w./-]+\] "                                        # kubectl logs --prefix
    r"|\[\d+,\d+\]<std\w+>:"                                    # mpirun --tag-output
    r"|(?:P\d+ )? *\d{1,6}: "                                   # srun --label
    r"|(?P<host>\d{1,3}(?:\.\d{1,3}){3}|localhost|[A-Za-z](?=[\w.-]*[\d-])[\w.-]*): "  # pdsh
)  # fmt: skip
_INNER = re.compile(
    r"\([A-Za-z_][\w.:<>\[\]=-]* (?:rank=\d+,? )?pid=\d+(?:, ip=[\d.]+)?\) ?"  # Ray
    r"|\[rank\d{1,6}\]: ?"                                      # PyTorch's excepthook
    r"|\[[A-Za-z][\w.-]*?\d{1,3}\]:"                            # torchrun --tee, no blank after it
)  # fmt: skip
_LOGGER = re.compile(r"[VDIWEC]\d{4} \d\d:\d\d:\d\d\.\d{6} (?P<writer>\d+ [^\]\s]+\])(?: \[\d+/\w+\])* ")
"""PyTorch's Python loggers repeat their header on every line of a record; its time is no part of the key."""
_NO_HOST = re.compile(r"(?:Error|Exception|Warning|Interrupt|Exit|Iteration|\.py)$")


@dataclass(frozen=True, slots=True)
class Split:
    """A line without its prefixes."""

    key: tuple[str, ...]
    """The prefixes, outermost first, without blanks and without repeats; () where there are none."""
    body: str


def split(line: str) -> Split:
    """Take the prefixes off a cleaned line."""
    at, key = 0, []
    if m := _STAMP.match(line):
        at = m.end()
    if (m := _OUTER.match(line, at)) and not (m["host"] and _NO_HOST.search(m["host"])):
        key.append(m[0].strip())
        at = m.end()
    while m := _INNER.match(line, at):
        key.append(m[0].strip())
        at = m.end()
    if m := _LOGGER.match(line, at):
        key.append(m["writer"])
        at = m.end()
    # a launcher that passes another launcher's lines on may repeat the prefix
    return Split(tuple(dict.fromkeys(key)), line[at:])


def split_at(line: str, hit: int) -> Split:
    """Like `split`, for a record that starts at `hit`, where something may be glued before its own prefix.

    The label of a whole line (srun, pdsh) stays; prefixes of what stands before the record are not its own.
    """
    whole = split(line)
    start = len(line) - len(whole.body)
    if start >= hit or not line[start:hit].strip():
        return whole
    at, own = hit, []
    for m in reversed(list(_INNER.finditer(line, 0, hit))):
        if line[m.end() : at].strip():
            break
        own.append(m[0].strip())
        at = m.start()
    if not own:
        return whole
    outer = [key for key in whole.key if not _INNER.fullmatch(key) and not _INNER.fullmatch(f"{key} ")]
    return Split(tuple(dict.fromkeys([*outer, *reversed(own)])), line[hit:])


def owned_body(line: str, key: tuple[str, ...]) -> str | None:
    """The text of a line if the writer known by `key` wrote it, even behind something glued; else None."""
    found = split(line)
    if found.key == key:
        return found.body
    mark = key[-1] if key else ""
    if mark.startswith("[rank") and mark in found.body:
        at = found.body.rfind(mark) + len(mark)
        return found.body[at:].removeprefix(" ")
    return None

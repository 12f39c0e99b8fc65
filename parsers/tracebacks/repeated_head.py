"""What a collector or logger puts before every line of a block: a clock, a level, a container's name.

`docker compose logs` writes `trainer-1  | `, vLLM's logger `WARNING 01-02 03:04:05 [file.py:57] `, a wrapper its time.
The head of the block's first line tells how the others begin: alike, but for what a clock changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

Numbered = tuple[int, str]
"""A line and its index."""
LONGEST = 200
"""Characters; what is longer before a record is text of its own."""
AHEAD = 8
"""Lines of the block in which its head must stand again."""
_CLOCK = re.compile(
    r"\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/]\d\d(?:[-/]\d\d(?:\d\d)?)?(?=[ T,])"  # a date
    r"|\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,9})?"  # a time of day
    r"|(?<=[EWIFDC])\d{4}(?= \d\d:)|\d{9,}(?:[.,]\d+)?"  # glog's month and day, seconds since the epoch
)
_HEADER = re.compile(r"(?:[ +|]*Exception Group |Original )?(?:╭─+ )?Traceback \(most recent call last\)")
_WARNED = re.compile(r"\bWARN(?:ING)?\b|^W\d{4} ")


def head_shape(head: str) -> re.Pattern[str] | None:
    """A pattern for the same head at another time; None where `head` says nothing of a writer."""
    if not head.strip() or len(head) > LONGEST:
        return None
    parts, at = [], 0
    for clock in _CLOCK.finditer(head):
        parts += [re.escape(head[at : clock.start()]), r"\d[\d.,:/-]*"]
        at = clock.end()
    return re.compile("".join([*parts, re.escape(head[at:])]))


def own_lines(first: Numbered, later: Iterator[Numbered]) -> tuple[bool, Iterator[Numbered]]:
    """Whether lines begin with the head of the `first`, a traceback's; and the lines, without it where they do.

    A logger that prints a block as one record heads its first line alone; a JSON string holds them all in one line.
    `later` is read as far as is asked for.
    """
    index, text = first
    if "\\n" in text[text.find("Traceback (") :]:
        return False, ((index, piece) for piece in text.replace('\\"', '"').split("\\n"))
    head = _HEADER.split(text, maxsplit=1)[0]
    shape = head_shape(head)
    if shape is None:
        return False, chain([first], later)
    near = list(islice(later, AHEAD))
    found = [(i, body[m.end() :]) for i, body in near if (m := shape.match(body)) is not None]
    if not any(_inside(body) for _, body in found):
        return False, chain([first], near, later)
    rest = ((i, body[m.end() :]) for i, body in later if (m := shape.match(body)) is not None)
    return True, chain([(index, text[len(head) :])], found, rest)


def _inside(text: str) -> bool:
    return text.startswith(("  ", "│", "|"))


def is_warning(head: str) -> bool:
    """Whether a logger's head says that what follows is a warning: the program reported it and went on."""
    return _WARNED.search(head) is not None

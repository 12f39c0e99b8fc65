"""Who wrote a line: rank, local rank, task, host and process, read from the heads that stack before it.

Records are glued into lines, so the head that counts is the last one before the record. `grammar` declares the forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from logtui.parsers.prefix.grammar import STAMP, Head, Place, any_of, at


class RankFrom(IntEnum):
    """How a record's rank was established, best first."""

    NONE = 0
    PREFIX = 1
    """`[rank57]:`, or another prefix of its process, stands before it."""
    TEXT = 2
    """The line names its own global rank (`rank 5/8`, a failure block, a default-group `[PG … Rank n]`)."""
    NCCL_INIT = 3
    """host:pid joined through NCCL's Init lines."""
    PID = 4
    """process id joined through a line that gives both."""
    FILE = 5
    """The file's name."""
    LOCAL = 6
    """Local rank of a tee header or a directory, joined with the node."""
    TASK = 7
    """SLURM task label, one task per rank."""
    CONTEXT = 8
    """The prefix of the line it continues."""

    @property
    def word(self) -> str:
        """As people read it."""
        return self.name.lower().replace("_", " ")


@dataclass(slots=True)
class Origin:
    """What the prefixes of one line say. -1 and "" stand for unknown."""

    rank: int = -1
    rank_from: RankFrom = RankFrom.NONE
    local_rank: int = -1
    task: int = -1
    host: str = ""
    pid: int = -1


Span = tuple[int, int]
"""First character and end of a part of a line."""


@dataclass(slots=True)
class OriginPlaces:
    """Where a line names its origin; None for what it does not say. The same for lines that differ in digits alone."""

    rank: Span | None = None
    rank_from: RankFrom = RankFrom.NONE
    local_rank: Span | None = None
    task: Span | None = None
    host: Span | None = None
    pid: Span | None = None

    def take(self, form: Head, m: re.Match[str]) -> None:
        """Believe a head in what it says."""
        for name in form.gives:
            if (span := m.span(name))[0] >= 0:
                self.put(form, name, span)

    def put(self, form: Head, name: str, span: Span) -> None:
        """Believe a head in one thing."""
        setattr(self, name, span)
        if name == "rank":
            self.rank_from = RankFrom.TEXT if form.in_text else RankFrom.PREFIX

    def read(self, text: str) -> Origin:
        """The origin of the line itself."""
        rank, local, task, host, pid = self.rank, self.local_rank, self.task, self.host, self.pid
        return Origin(
            int(text[rank[0] : rank[1]]) if rank else -1,
            self.rank_from,
            int(text[local[0] : local[1]]) if local else -1,
            int(text[task[0] : task[1]]) if task else -1,
            text[host[0] : host[1]] if host else "",
            int(text[pid[0] : pid[1]]) if pid else -1,
        )


HEAD_REACH = 120
"""Characters from the start of a line, or of a record in it, in which its heads stand."""
HEAD_LONGEST = 64
"""Characters of one head."""
HEAD_BEHIND = 1 << 12
"""Characters before a record in which its heads are looked for, beside those at the start of its line: a megabyte is
not searched again for each of the records that are glued into it."""
_STAMP = re.compile(STAMP)
_LABEL, _STACKED, _REPEATED = (re.compile(any_of(p)) for p in (Place.LABEL, Place.STACKED, Place.REPEATED))
_STACK = re.compile(f"(?:{STAMP})?(?:{any_of(Place.LABEL)})?(?:{any_of(Place.STACKED, named=False)})*")
"""All that stacks at the beginning of a line; matches every line, and names what its label gives."""
_LABELS = {f"{form.name}_{given}": (form, given) for form in at(Place.LABEL) for given in form.gives}
_INSIDE = tuple((form.cue, form) for form in at(Place.STACKED, Place.HEADER))
_SUBJECT, _NAMED = at(Place.SUBJECT, Place.NAMED)


def read_origin(text: str, hit: int = 0) -> Origin:
    """Read the heads of the record at `hit` in a line whose terminal codes are already gone; at 0, those of the line
    as a whole."""
    return find_origin(text, hit).read(text)


def find_origin(text: str, hit: int = 0) -> OriginPlaces:
    """Where the heads of the record at `hit` stand. No digit is told from another here, so that one answer serves all
    lines that differ in digits alone."""
    places, head, last = OriginPlaces(), text[: hit + HEAD_REACH], -1
    stack = _STACK.match(head)
    assert stack is not None, "nothing in it must be there"
    if stack.lastgroup in _LABELS:
        places.put(*_LABELS[stack.lastgroup], stack.span(stack.lastgroup))
    end = max(hit, stack.end())
    found = [(form, m) for cue, form in _INSIDE if cue in head and (m := _own(form, head, hit, end))]
    for form, m in found:
        if form.place is Place.STACKED and m.start() > last:
            last = m.start()
    for form, m in found:
        told = form.in_text and places.rank is not None  # a launcher's number is worth more than a script's own
        if not told and (m.start() >= last or form.place is Place.STACKED):  # else another's record cut that one short
            places.take(form, m)
    if places.rank is None and stack.end() > last and _SUBJECT.cue in head:
        _take_subject(places, text, stack.end())
    return places


def _take_subject(places: OriginPlaces, text: str, at: int) -> None:
    if m := _SUBJECT.compiled.match(text, at):
        places.take(_SUBJECT, m)


def _own(form: Head, head: str, hit: int, end: int) -> re.Match[str] | None:
    """The last such head that begins up to `end`; of a line as a whole the first, if it counts anywhere."""
    if not hit and form.anywhere:
        return form.compiled.search(head)
    near = max(0, hit - HEAD_BEHIND)
    return _last(form, head, near, end) or (_last(form, head, 0, HEAD_REACH) if near else None)


def _last(form: Head, head: str, begin: int, end: int) -> re.Match[str] | None:
    own = None
    for m in form.compiled.finditer(head, begin, end + HEAD_LONGEST):
        if m.start() > end:
            break
        own = m
    return own


def glued_heads(text: str) -> Iterator[Span]:
    """Where heads stand in mid-line, glued to what another writer left without an end: of each such stack, its first
    character and what follows it. `read_origin` at its end tells whose they are."""
    stack = _STACK.match(text)
    assert stack is not None, "nothing in it must be there"
    last: Span | None = None
    for m in _STACKED.finditer(text, stack.end()):
        if last and not text[last[1] : m.start()].strip():
            last = last[0], m.end()
            continue
        if last:
            yield last
        last = m.span()
    if last:
        yield last


def find_named(text: str) -> Span | None:
    """Where a text names a rank, as plain scripts do; for lines that nothing else tells of. The same for lines that
    differ in digits alone."""
    m = _NAMED.compiled.search(text)
    return m.span("rank") if m else None


def named_rank(text: str) -> int | None:
    """The rank that stands there."""
    span = find_named(text)
    return int(text[span[0] : span[1]]) if span else None


@dataclass(frozen=True, slots=True)
class Split:
    """A line without its heads."""

    key: tuple[str, ...]
    """The heads, outermost first, without blanks and without repeats: it tells the writers of a shared file apart.
    () where there are none."""
    body: str


def split(line: str) -> Split:
    """Take the heads off a cleaned line."""
    return _split(line) if len(line) <= REMEMBERED else _split.__wrapped__(line)


REMEMBERED = 512
"""Characters of a line of which the answer is kept: where tracebacks stand interleaved, each asks of others' lines."""


@lru_cache(maxsize=1 << 13)
def _split(line: str) -> Split:
    end, key = 0, []
    if m := _STAMP.match(line):
        end = m.end()
    if m := _LABEL.match(line, end):
        key.append(m[0].strip())
        end = m.end()
    while m := _STACKED.match(line, end):
        key.append(m[0].strip())
        end = m.end()
    if m := _REPEATED.match(line, end):
        key.append(m["torch_writer"])
        end = m.end()
    # a launcher that passes another launcher's lines on may repeat the head
    return Split(tuple(dict.fromkeys(key)), line[end:])


def split_at(line: str, hit: int) -> Split:
    """Like `split`, for a record that starts at `hit`, where something may be glued before its own heads.

    The label of a whole line stays; heads of what stands before the record are not its own.
    """
    whole = split(line)
    start = len(line) - len(whole.body)
    if start >= hit or not line[start:hit].strip():
        return whole
    begin, own = hit, []
    for m in reversed(list(_STACKED.finditer(line, 0, hit))):
        if line[m.end() : begin].strip():
            break
        own.append(m[0].strip())
        begin = m.start()
    if not own:
        return whole
    outer = [key for key in whole.key if not _STACKED.fullmatch(key)]
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

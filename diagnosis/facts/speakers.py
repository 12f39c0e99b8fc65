"""Who wrote a line that is no record: a rank, or what stands in one file without one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from operator import itemgetter

from logtui.diagnosis.facts.identity import Identity
from logtui.parsers.clean import clean
from logtui.parsers.prefix.origin import find_named, named_rank, read_origin
from logtui.parsers.records.shapes import Shape, Shapes
from logtui.parsers.source import LogFile

HEAD = 400
"""Bytes of a line in which its writer is named."""
MOST = 1 << 14
"""Masks that are remembered, and of each what its lines say; then all are forgotten."""


class Speakers:
    """Who wrote a line: a rank, from 0 on, or below 0 what stands in one file without a rank."""

    def __init__(self, identity: Identity | None, ranks: Collection[int] = ()) -> None:
        self._identity = identity
        self._ranks = ranks
        self._shapes = Shapes()
        self._told: dict[bytes, _Told | None] = {}

    def owner(self, file: LogFile) -> int | None:
        """The one writer of a file; None where each line says it."""
        if self._identity is None:
            return -1 - file.index
        return self._identity.by_file.get(file.index)

    def of(self, file: LogFile, raw: bytes) -> int:
        """The writer of one line."""
        found = self._rank(file, raw)
        return -1 - file.index if found is None else found

    def of_kinds(self, file: LogFile, raws: Sequence[bytes], masks: Sequence[bytes], kinds: Sequence[int]) -> list[int]:
        """The writers of some lines; `kinds` are theirs, and `masks` those of the kinds."""
        own = self.owner(file)
        if own is not None:
            return [own] * len(raws)
        met = Counter(kinds)
        told = [self._told_of(mask) if met[kind] > 1 else self._told.get(mask) for kind, mask in enumerate(masks)]
        ranks = [
            self._rank(file, raw) if (one := told[kind]) is None else one.rank(file, raw)
            for kind, raw in zip(kinds, raws, strict=True)
        ]
        return [-1 - file.index if rank is None else rank for rank in ranks]

    def _rank(self, file: LogFile, raw: bytes) -> int | None:
        if self._identity is None:
            return None
        head = raw[:HEAD]
        shape = self._shapes.of(head)
        text = head.decode() if shape else clean(head)
        origin = shape.origin(text, 0).read(text) if shape else read_origin(text)
        found = self._identity.rank_of_origin(file, origin)
        if found is None:
            found = shape.named_rank(text) if shape else named_rank(text)
            found = found if found in self._ranks else None
        return found

    def _told_of(self, mask: bytes) -> _Told | None:
        """What is known of the lines of one mask; None where that cannot be said. To learn it of a single line does not
        pay."""
        if mask not in self._told:
            if len(self._told) == MOST:
                self._told.clear()
            shape = self._shapes.of(mask[:HEAD])
            self._told[mask] = None if shape is None else _Told(self._rank, shape, mask[:HEAD].decode())
        return self._told[mask]


class _Told:
    """Who wrote lines that differ in digits alone: they name their writer at the same places, and of those that say
    the same there one is asked."""

    def __init__(self, ask: Callable[[LogFile, bytes], int | None], shape: Shape, text: str) -> None:
        """`text` is the head of such a line."""
        origin = shape.origin(text, 0)
        named = (origin.rank, origin.local_rank, origin.task, origin.host, origin.pid, find_named(text))
        spans = [slice(_bytes(text, span[0]), _bytes(text, span[1])) for span in named if span is not None]
        self._ask = ask
        self._read = itemgetter(*(spans or [slice(0)]))
        self._in_file = origin.local_rank is not None  # a local rank is one of the file's node
        self._known: dict[object, int | None] = {}

    def rank(self, file: LogFile, raw: bytes) -> int | None:
        """The rank that wrote a line."""
        told = self._read(raw)
        key = (file.index, told) if self._in_file else told
        try:
            return self._known[key]
        except KeyError:
            if len(self._known) == MOST:
                self._known.clear()
            rank = self._known[key] = self._ask(file, raw)
            return rank


def _bytes(text: str, end: int) -> int:
    return len(text[:end].encode())

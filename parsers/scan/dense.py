"""A block in which many lines hit: those that are equal but for their digits are understood once, and read as columns.

The answer is the same as that of going line by line, and lines that are like few others still go that way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from logtui.parsers.prefix.stamp import TimeFrom
from logtui.parsers.records.addresses import all_blanked, blanked
from logtui.parsers.records.record import OPAQUE, ROW, Rows
from logtui.parsers.records.shapes import ALIKE, LONGEST_OF_MANY, Shape, Shapes
from logtui.parsers.scan.alike import Alike, Numbers, Places, parted
from logtui.parsers.scan.alike_stamps import read_stamps
from logtui.parsers.scan.blocks import TextBlock
from logtui.parsers.scan.clocks import Clocks, find_clocks
from logtui.parsers.scan.engine import Hits
from logtui.parsers.scan.kinds import Kinds, numbered
from logtui.parsers.scan.laid import read_laid
from logtui.parsers.scan.layouts import Layout, Layouts
from logtui.parsers.scan.matching import WINDOW, HitText, Matchers, hit_texts
from logtui.parsers.scan.rows import MATCHES_PER_TEXT, Mark, RowBuilder, Woven, untimed
from logtui.parsers.scan.texts import find_texts

LEAST = 48
"""Lines that must be alike for columns to pay."""
FEWEST = 6
"""The same, on average, where some of their digits part them."""
SHORT = 1 << 16
"""Numbers below it, of two bytes, are sorted in linear time."""
CROWDED = 8
"""Where lines with hits fill one in so many bytes of a block, or more, the whole of it is masked at once."""


@dataclass(slots=True)
class Taken:
    """What the columns of a block gave."""

    woven: list[Woven] = field(default_factory=list)
    bulk: list[tuple[int, Numbers]] = field(default_factory=list)
    """Patterns that come in bulk, and the texts that match them."""


class DenseBlock:
    """The texts round the hits of one block."""

    def __init__(
        self, block: TextBlock, hits: Hits, kinds: Kinds | None, lines_before: int, matchers: Matchers, shapes: Shapes,
        layouts: Layouts, builder: RowBuilder,
    ) -> None:  # fmt: skip
        """`hits` are those of the block whose lines are to be read, `lines_before` the lines of the range before it;
        `kinds` where they are known."""
        self._block = block
        self.texts = find_texts(block, hits, lines_before, kinds)
        self._kinds, self._matchers, self._shapes, self._builder = kinds, matchers, shapes, builder
        self._layouts, self._taken = layouts, Taken()
        self._left = np.ones(len(self.texts.begin), np.bool_)
        """The texts that are still to be looked at, one by one."""
        self._matched = np.zeros(len(self.texts.begin), np.bool_)
        self._at = -1
        self._masks_of: dict[int, bytes] = {}

    @property
    def lines(self) -> int:
        """How many lines the block ends."""
        return len(self._block.newlines)

    def give_times(self, since: Mark) -> None:
        """Give all rows of the block that have no time of their own that of the nearest line before."""
        rows = self._builder.rows_since(since)
        bare = np.flatnonzero(rows["time_from"] == TimeFrom.NONE)
        if len(bare) and len(found := find_clocks(self._block)):
            clocks = Clocks(self._block, found, self._builder.clock_of)
            begins = rows["offset"][bare] - self._block.offset + self._block.begin
            rows["time"][bare], rows["time_from"][bare] = clocks.before(begins)

    def take(self) -> Taken:
        """All that columns give of those that many others are like."""
        for some in self._groups():
            for part in self._by_anchors(some):
                if len(part) >= LEAST:
                    self._take_group(part)
        self._take_laid()
        return self._taken

    def _take_laid(self) -> None:
        """Take what is left as far as its layouts are known."""
        some, layouts = self._laid()
        if not some:
            return
        texts, block, buffer = np.array(some), self._block, self._block.buffer
        laid = read_laid(buffer, self.texts.begin[texts], layouts, self._layouts)
        whose = texts[laid.owners]
        begin, end = self.texts.line_begin[whose], self.texts.line_end[whose]
        place = self.texts.line[whose], begin - block.begin + block.offset, end - begin
        self._builder.place(laid.rows, place, laid.named, laid.hosts)
        self._taken.woven.append(Woven(self.texts.keys(whose), laid.rows, laid.texts))
        failed, bulk = set(laid.failed.tolist()), dict[int, list[int]]()
        for at, (text, layout) in enumerate(zip(some, layouts, strict=True)):
            if at not in failed:
                self._left[text] = False
                self._matched[text] = layout.records or layout.bulk
                for pattern in layout.bulk:
                    bulk.setdefault(pattern, []).append(text)
        self._taken.bulk += [(pattern, np.array(of_it)) for pattern, of_it in bulk.items()]

    def _laid(self) -> tuple[list[int], list[Layout]]:
        """Texts that are left and their layouts, where these are known."""
        left = np.flatnonzero(self._left & (self.texts.end - self.texts.begin <= LONGEST_OF_MANY))
        anchors, mask_of = (self.texts.hits & 0xFFFF).tolist(), self._mask_of(left)
        bounds, view = (self.texts.begin.tolist(), self.texts.end.tolist()), memoryview(self._block.buffer)
        columns = left, self.texts.first[left], self.texts.first[left] + self.texts.count[left]
        some, layouts = list[int](), list[Layout]()

        def raw(text: int) -> bytes:
            return bytes(view[bounds[0][text] : bounds[1][text]])

        for text, first, last in zip(*(column.tolist() for column in columns), strict=True):
            if layout := self._layouts.of(mask_of(text), tuple(anchors[first:last]), text, raw):
                some.append(text)
                layouts.append(layout)
        return some, layouts

    def _mask_of(self, left: Numbers) -> Callable[[int], bytes]:
        """Gives the mask of a text by its number."""
        if not self._kinds or not len(left):
            return self._masks_of.__getitem__
        masks, parts, known = self._kinds.masks, self.texts.part.tolist(), dict[bytes, bytes]()

        def of(text: int) -> bytes:
            mask = masks[parts[text]]
            return known.get(mask) or known.setdefault(mask, blanked(mask)) if b" 0x" in mask else mask

        return of

    def others(self) -> Iterator[tuple[HitText, int]]:
        """All other texts, in order, and the numbers of their lines; whoever takes one says so with `match`."""
        left, view = np.flatnonzero(self._left), memoryview(self._block.buffer)
        shift, texts = self._block.offset - self._block.begin, self.texts.of(left)
        columns = texts.begin, texts.end, texts.line_begin, texts.line_end, texts.line
        for self._at, *places in zip(left.tolist(), *(c.tolist() for c in columns), strict=True):
            begin, end, line_begin, line_end, line = places
            some = self.texts.hits_of(self._at)
            if end - begin > WINDOW:
                lengths = self._matchers.anchor_lengths
                for stretch in hit_texts(self._block, some, lengths, self._shapes):
                    yield stretch, line
            else:
                raw = bytes(view[begin:end])
                shape, length = self._shapes.of(raw), line_end - line_begin
                yield HitText(raw, shape, some, line_begin, line_end, line_begin + shift, length), line

    def match(self) -> None:
        """Note that the text given out last matches something."""
        self._matched[self._at] = True

    @property
    def matched(self) -> Numbers:
        """Where the lines begin that match something."""
        begins = self.texts.line_begin[self._matched]
        return begins[np.diff(begins, prepend=-1) > 0]

    def _groups(self) -> Iterator[Numbers]:
        """Texts that are equal but for their digits."""
        some = np.flatnonzero(self.texts.end - self.texts.begin <= LONGEST_OF_MANY)
        if self._kinds:
            which = self._kinds.of_part[self.texts.part[some]]
        else:
            masks = self._masks(some)
            self._masks_of = dict(zip(some.tolist(), masks, strict=True))
            which = numbered(masks, len(some))
        ends = np.cumsum(np.bincount(which))
        order = np.argsort(which if len(ends) > SHORT else which.astype(np.uint16), kind="stable")
        for group in np.flatnonzero(np.diff(ends, prepend=0) >= LEAST).tolist():
            yield some[order[ends[group - 1] if group else 0 : ends[group]]]

    def _masks(self, some: Numbers) -> list[bytes]:
        """Each text with all digits alike, and all addresses."""
        base, block = self._block.begin, memoryview(self._block.buffer)[self._block.begin : self._block.end]
        begins, ends = self.texts.begin[some] - base, self.texts.end[some] - base
        bounds = zip(begins.tolist(), ends.tolist(), strict=True)
        if (ends - begins).sum() * CROWDED > len(block):
            masked = bytes(block).translate(ALIKE)
            return all_blanked([masked[begin:end] for begin, end in bounds])
        return all_blanked([bytes(block[begin:end]).translate(ALIKE) for begin, end in bounds])

    def _by_anchors(self, some: Numbers) -> Iterator[Numbers]:
        """Those of some texts that the same patterns may match."""
        count, kinds = self.texts.count[some], self._matchers.kinds
        for number in [int(count[0])] if (count == count[0]).all() else np.unique(count).tolist():
            same = some[count == number]
            anchors = kinds[self.texts.hits[self.texts.first[same][:, np.newaxis] + np.arange(number)] & 0xFFFF]
            yield from (same[part] for part in parted(anchors))

    def _take_group(self, some: Numbers) -> None:
        """Take texts that are equal but for their digits, and that the same patterns may match."""
        known = self._known(some)
        if known is None:
            return
        lines, shape = known
        parts = list(self._parts(some, lines, shape))
        if len(parts) == 1:
            self._take_alike(some, lines, shape)
        elif len(parts) * FEWEST <= len(some):
            for part in parts:
                self._take_alike(some[part], lines.of(part), shape)

    def _known(self, some: Numbers) -> tuple[Alike, Shape] | None:
        """Such texts one below the other, and what is known of them; None where cleaning may change each in its way."""
        begin, end = int(self.texts.begin[some[0]]), int(self.texts.end[some[0]])
        raw, buffer = blanked(bytes(memoryview(self._block.buffer)[begin:end])), self._block.buffer
        shape, places = self._shapes.of(raw, len(some)), list[int]()
        if shape is None:
            if (known := self._shapes.coloured(raw)) is None:
                return None
            shape, places = known
        windows = np.ndarray((len(buffer) - len(raw) + 1,), f"V{len(raw)}", buffer, strides=(1,))
        signs = windows[self.texts.begin[some]].view(np.uint8).reshape(len(some), -1)
        text = bytes(map(raw.__getitem__, places)) if places else raw
        return Alike(signs, text.decode(), places), shape

    def _parts(self, some: Numbers, lines: Alike, shape: Shape) -> Iterator[Places]:
        """Lines that the same patterns match, at the same places."""
        first = self._hit_text(some, lines, shape)
        self._matchers.confirmed(first)
        asked = {pattern << 1 | glued: (pattern, glued) for pattern, glued in self._matchers.candidates(first.hits)}
        if " 0x" in first.text and not all(shape.is_blind(q, self._matchers.regex(q >> 1)) for q in asked):
            return
        deciding = shape.deciding(question for question in asked if shape.is_decided(question))
        undecided = [asked[question] for question in asked if not shape.is_decided(question)]
        if not undecided:
            yield from lines.split(deciding or ())
            return
        texts = [text.decode() for text in lines.strings((0, len(lines.text)))]
        found = [tuple(self._matchers.spots(*one, text, None) for one in undecided) for text in texts]
        yield from lines.split(deciding or (), found)

    def _hit_text(self, some: Numbers, lines: Alike, shape: Shape) -> HitText:
        """The first of some texts."""
        text = int(some[0])
        begin, end = int(self.texts.line_begin[text]), int(self.texts.line_end[text])
        offset = begin - self._block.begin + self._block.offset
        return HitText(lines.text.encode(), shape, self.texts.hits_of(text), begin, end, offset, end - begin)

    def _take_alike(self, some: Numbers, lines: Alike, shape: Shape) -> None:
        """Take texts that the same patterns match at the same places."""
        found = self._matchers.confirmed(self._hit_text(some, lines, shape))
        rows = [(pattern, spots) for pattern, spots in found if not self._matchers.bulk[pattern]]
        if any(len(spots) > MATCHES_PER_TEXT for _, spots in rows):
            return
        bases: dict[int, Rows] = {}
        for hit in {spot[0] for _, spots in rows for spot in spots}:
            if (base := self._base(some, lines, hit, shape)) is None:
                return
            bases[hit] = base
        keys = self.texts.keys(some)
        records = [(pattern, spot) for pattern, spots in rows for spot in spots]
        last = {spot[0]: number for number, (_, spot) in enumerate(records)}
        for number, (pattern, spot) in enumerate(records):
            base = bases[spot[0]]
            made = base if last[spot[0]] == number else base.view(OPAQUE).copy().view(ROW)
            self._taken.woven.append(Woven(keys, made, self._builder.fill(made, pattern, spot, lines)))
        self._left[some] = False
        self._taken.bulk += [(pattern, some) for pattern, _ in found if self._matchers.bulk[pattern]]
        if found:
            self._matched[some] = True

    def _base(self, some: Numbers, lines: Alike, hit: int, shape: Shape) -> Rows | None:
        """Rows for the records that begin at a character of some texts; None where times must be read line by line."""
        texts = self.texts
        places = shape.stamps(lines.text)
        times = read_stamps(lines, places, hit, self._builder.clock) if places else untimed()
        if times is None:
            return None
        begin, end = texts.line_begin[some], texts.line_end[some]
        place = texts.line[some], begin - self._block.begin + self._block.offset, end - begin
        rows = self._builder.base(lines, shape.origin(lines.text, hit), place)
        rows["time"], rows["time_from"] = times
        return rows

"""Where everything stands in texts that are equal but for their digits, noted when such a text is met again.

Whatever block a text comes from, what it says is then read without asking a pattern, together with all others of its
block, however unlike those are (see `laid`). Texts that differ in the digits of addresses count as equal too.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from logtui.parsers.prefix.stamp import OF_UNIX, WITH_FRACTION, TimeFrom, frame_of
from logtui.parsers.records.addresses import blanked
from logtui.parsers.records.shapes import Deciding, Shape, Shapes, Span, Spot
from logtui.parsers.scan.alike import EXACT, PLAIN_NUMBER
from logtui.parsers.scan.alike_stamps import Chosen, Clock, choose, telling_digits
from logtui.parsers.scan.matching import HitText, Matchers
from logtui.parsers.scan.rows import MATCHES_PER_TEXT, TEXT_CAP, kept_from

MOST = 1 << 12
"""Kinds of texts that are known; then all are forgotten."""
MOST_BYTES = 1 << 20
"""Of all kinds that are known; the same."""
MOST_NOTES = 1 << 14
"""Records of all layouts; the same."""
MET = 1 << 14
"""The same of those that were met, but not often enough."""
WORTH = 4
"""Texts of a kind after which it is worth knowing: to find a layout out takes as long as reading a dozen texts one by
one. Texts with addresses have no shape that is known already, so that a second one will do."""
VARIANTS = 64
"""Layouts of texts of one kind, by those of their digits that decide it."""
PAUSE = 1 << 14
"""Texts that are not looked at after so many kinds that hardly any was met again."""

NUMBERS = (
    "rank",
    "local_rank",
    "task",
    "pid",
    "h",
    "mi",
    "s",
    "f",
    "t",
    "t_fraction",
    "a",
    "a_fraction",
    "b",
    "b_fraction",
)
"""What is read as a number; begin and end of each stand side by side in a note, 0 and 0 where there is none."""
NOTED = 2 * len(NUMBERS) + 9
"""Numbers of a note: of the spans of all these, of host and kept text, then pattern, where rank and time are from, and
what is odd: 1 and 2 where `a` and `b` are no plain numbers, 4 where the time is no time of day, 8 where the kept text
is in pieces, of which the first of its two numbers tells; and whether there is a time."""
ODD_A, ODD_B, NO_CLOCK, IN_PIECES = 1, 2, 4, 8
_NOWHERE, _BROKEN = (0, 0), (0, -1)


class Layout(NamedTuple):
    """Of texts that agree in what decides."""

    first: int
    """The note of its first record."""
    records: int
    """How many it has."""
    bulk: tuple[int, ...]
    """Patterns that come in bulk and match it."""


class _Kind:
    """Texts equal but for their digits, with hits of the same literals."""

    def __init__(self, deciding: set[Span], compared: Sequence[tuple[int, int, int]], places: list[int]) -> None:
        """Spans are in characters of the text, of which `places` are given where it is coloured."""
        self._deciding = deciding
        digits = sorted({places[at] if places else at for span in deciding for at in range(*span)})
        self._spans, self._compared = list(_runs(digits)), compared
        self.decides = bool(digits or compared)
        """Whether texts of the kind may have different layouts."""
        self.layouts: dict[bytes, Layout | None] = {}

    def key(self, raw: bytes) -> bytes:
        """What decides in one of them."""
        key = b"".join([raw[begin:end] for begin, end in self._spans])
        for begin, end, at in self._compared:
            key += b"=" if raw.startswith(raw[begin:end], at) else b"/"
        return key

    def covers(self, spans: set[Span]) -> bool:
        """Whether all that a layout depends on is part of the key."""
        return spans <= self._deciding


class Layouts:
    """The layouts of a scanner, for files whose stamps are completed alike; bounded."""

    def __init__(self, matchers: Matchers, shapes: Shapes) -> None:
        self._matchers, self._shapes = matchers, shapes
        self._known: dict[tuple[bytes, tuple[int, ...]], _Kind | None] = {}
        self._met: dict[int, int] = {}
        """How often kinds were met that are not known yet."""
        self._clock: Clock | None = None
        self._rest = self._used = self._bytes = 0
        self.notes = array("i")
        """`NOTED` numbers for each record."""
        self.pieces: list[tuple[Span, ...]] = []
        """Where the parts of a kept text stand between colours."""
        self.frames = array("d")
        """What a time of day is counted from, and what is to be taken off, for each record."""

    def begin_block(self, clock: Clock) -> None:
        """Say how stamps are completed from here on; no layout that was given out before holds any longer."""
        if clock != self._clock or self._is_full:
            self._known, self._met, self.notes, self.frames = {}, {}, array("i"), array("d")
            self.pieces, self._bytes = [], 0
        self._clock = clock

    @property
    def _is_full(self) -> bool:
        return len(self._known) >= MOST or self._bytes >= MOST_BYTES or len(self.notes) >= MOST_NOTES * NOTED

    def of(self, mask: bytes, anchors: tuple[int, ...], text: int, raw: Callable[[int], bytes]) -> Layout | None:
        """The layout of a text with hits of some literals; None where it is not known. In its mask all digits are
        alike, and those of its addresses; `raw` gives the text, by its number, as it stands."""
        if self._rest:
            self._rest -= 1
            return None
        kind = self._known.get((mask, anchors))
        if kind is None and (kind := self._meet(mask, text, raw, anchors)) is None:
            return None
        self._used += 1
        key = kind.key(raw(text)) if kind.decides else b""
        if key not in kind.layouts and len(kind.layouts) < VARIANTS:
            kind.layouts[key] = self._lay(kind, blanked(raw(text)), anchors)
        return kind.layouts.get(key)

    def _meet(self, mask: bytes, text: int, raw: Callable[[int], bytes], anchors: tuple[int, ...]) -> _Kind | None:
        """Note a kind when it has been met often enough."""
        if (mask, anchors) in self._known or not mask.isascii():
            return None
        met = hash((mask, anchors))
        times = self._met.get(met, 0) + 1
        if times < (2 if b" 0x" in mask else WORTH):
            if len(self._met) >= MET:
                self._rest = PAUSE if self._used < MET else 0
                self._met, self._used = {}, 0
            self._met[met] = times
            return None
        if self._is_full:
            return None
        self._bytes += len(mask)
        kind = self._known[mask, anchors] = self._kind(blanked(raw(text)), anchors)
        return kind

    def _kind(self, text: bytes, anchors: tuple[int, ...]) -> _Kind | None:
        """What decides in texts like this one; None where that cannot be said."""
        if (asked := self._ask(text, anchors)) is None:
            return None
        hit_text, shape, places = asked
        self._matchers.confirmed(hit_text)
        questions = [pattern << 1 | glued for pattern, glued in self._matchers.candidates(anchors)]
        regex = self._matchers.regex
        if b" 0x" in text and not all(shape.is_blind(question, regex(question >> 1)) for question in questions):
            return None
        deciding = shape.deciding(questions)
        if deciding is None or (dated := self._dated(hit_text, shape)) is None:
            return None
        compared = [place for place in deciding if len(place) == 3]
        if places and compared:
            return None
        spans = dated.union((place[0], place[1]) for place in deciding if len(place) == 2)
        return _Kind(spans, compared, places)

    def _ask(self, text: bytes, anchors: tuple[int, ...]) -> tuple[HitText, Shape, list[int]] | None:
        """A text without its colours, its shape, and where its characters stand if it has any."""
        if b"\x1b" not in text:
            shape, places = self._shapes.of(text, 2), list[int]()
        elif (known := self._shapes.coloured(text)) is not None:
            shape, places = known
            text = bytes(map(text.__getitem__, places))
        else:
            return None
        return (HitText(text, shape, anchors, 0, 0, 0, 0), shape, places) if shape else None

    def _dated(self, hit_text: HitText, shape: Shape) -> set[Span] | None:
        """The digits that decide which stamps of a text count and what days they are of; None where that cannot be
        said."""
        digits: set[Span] = set()
        for hit in {spot[0] for _, spots in self._matchers.confirmed(hit_text) for spot in spots}:
            telling = self._stamp(hit_text.text, hit, shape)
            if telling is None:
                return None
            digits.update((place[0], place[1]) for place in telling[1])
        return digits

    def _stamp(self, text: str, hit: int, shape: Shape) -> tuple[Chosen | None, Deciding] | None:
        """The stamp of a record, if it has one, and the digits that decide it; None where that cannot be said."""
        places = shape.stamps(text)
        if not places:
            return None, ()
        assert self._clock is not None, "set before any text is read"
        chosen = choose(places, text, hit, self._clock)
        telling = telling_digits(places, text, chosen.match) if chosen else None
        return None if telling is None else (chosen, telling)

    def _lay(self, kind: _Kind, text: bytes, anchors: tuple[int, ...]) -> Layout | None:
        """The layout of a text and of all that agree with it; None where each has to be read by itself."""
        if self._is_full or (asked := self._ask(text, anchors)) is None:
            return None
        hit_text, shape, places = asked
        notes, frames, bulk = array("i"), array("d"), list[int]()
        for pattern, spots in self._matchers.confirmed(hit_text):
            if self._matchers.bulk[pattern]:
                bulk.append(pattern)
            elif len(spots) > MATCHES_PER_TEXT:
                return None
            else:
                for spot in spots:
                    note = self._note(kind, pattern, spot, hit_text.text, shape, places)
                    if note is None:
                        return None
                    notes.extend(note[0])
                    frames.extend(note[1])
        layout = Layout(len(self.notes) // NOTED, len(frames) // 2, tuple(bulk))
        self.notes.extend(notes)
        self.frames.extend(frames)
        return layout

    def _note(
        self, kind: _Kind, pattern: int, spot: Spot, text: str, shape: Shape, places: list[int]
    ) -> tuple[list[int], tuple[float, float]] | None:
        """Where everything of one record stands, and what its time of day is counted from."""
        hit, first, second = spot
        stamp = self._stamp(text, hit, shape)
        if stamp is None or not kind.covers({(place[0], place[1]) for place in stamp[1]}):
            return None
        origin, kept = shape.origin(text, hit), _NOWHERE
        spans = {name: getattr(origin, name) or _NOWHERE for name in NUMBERS[:4]}
        odd = 0
        if self._matchers.numeric[pattern]:
            odd = _put_real(spans, "a", first, text) * ODD_A | _put_real(spans, "b", second, text) * ODD_B
        else:
            begin = kept_from(hit)
            kept = begin, min(len(text), begin + TEXT_CAP)
        source, base, zone = TimeFrom.NONE, 0.0, 0
        if chosen := stamp[0]:
            if chosen.style in OF_UNIX:
                return None  # more digits than parts of a number are put together from without a loss
            source = chosen.stamp.source
            odd |= _put_time(spans, chosen)
            if not odd & NO_CLOCK:
                assert self._clock is not None, "set before any text is read"
                frame = frame_of(chosen.style, chosen.match, *self._clock)
                if frame is None:
                    return None
                base, zone, _ = frame
        if any(end - begin > EXACT for begin, end in spans.values()):
            return None
        spans["host"] = origin.host or _NOWHERE
        if places:
            spans = {name: _in_line(span, places) for name, span in spans.items()}
            if _BROKEN in spans.values():
                return None
            if kept != _NOWHERE:
                self.pieces.append(tuple(_runs(places[slice(*kept)])))
                odd, kept = odd | IN_PIECES, (len(self.pieces) - 1, len(self.pieces) + kept[1] - kept[0] - 1)
        note = [place for name in (*NUMBERS, "host") for place in spans.get(name, _NOWHERE)]
        return [*note, *kept, pattern, origin.rank_from, source, odd, chosen is not None], (base, zone)


def _in_line(span: Span, places: list[int]) -> Span:
    """A span of a text as one of the line, where no colour parts it."""
    if span == _NOWHERE:
        return span
    begin, end = places[span[0]], places[span[1] - 1] + 1
    return (begin, end) if end - begin == span[1] - span[0] else _BROKEN


def _runs(places: Sequence[int]) -> Iterator[Span]:
    """The spans that some places fill."""
    begin = places[0] if places else -1
    for at, after in pairwise([*places, -1]):
        if after != at + 1:
            yield begin, at + 1
            begin = after


def _put_real(spans: dict[str, Span], name: str, span: Span, text: str) -> bool:
    """Put a number with or without a fraction; whether it is something else."""
    begin, end = span
    if end <= begin:
        return False
    m = PLAIN_NUMBER.fullmatch(text, begin, end)
    if m is None or end - begin > EXACT:
        spans[name] = span
        return True
    fraction = m.span("fraction") if m["fraction"] else _NOWHERE
    spans[name] = begin, fraction[0] - 1 if m["fraction"] else end
    spans[name + "_fraction"] = fraction
    return False


def _put_time(spans: dict[str, Span], chosen: Chosen) -> int:
    """Put the parts of a stamp; `NO_CLOCK` where it is no time of day."""
    style, m, _ = chosen
    if style == "uptime":
        point = m.end("up") - 7
        spans["t"], spans["t_fraction"] = (m.start("up"), point), (point + 1, m.end("up"))
        return NO_CLOCK
    if style == "epoch":
        begin, end = m.span("ms")
        spans["t"], spans["t_fraction"] = (begin, end - 3), (end - 3, end)
        return NO_CLOCK
    spans.update({name: m.span(name) for name in ("h", "mi", "s")})
    if style in WITH_FRACTION and m["f"]:
        spans["f"] = m.span("f")
    return 0

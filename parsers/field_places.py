"""Where a pattern's fields stand in lines that differ in digits alone: one of them is searched, the others are cut.

A line is looked up whole, with every digit replaced by 0, and with those of its digits that a regex can tell apart as
they are (see `digits`): nothing is guessed.
"""

from __future__ import annotations

from logtui.parsers.digits import telling_places
from logtui.parsers.pattern import Pattern
from logtui.parsers.shapes import ALIKE, LONGEST, Answers

MOST = 1 << 12
"""Lines that are remembered; then all are forgotten."""
TRIAL = 64
"""New lines of a pattern after which it must have paid."""

Fields = dict[str, str]
_Spans = tuple[tuple[str, int, int], ...]
"""Name, first character and end of each group that took part, in the order of the regex."""


class FieldPlaces:
    """Reads fields, and remembers where they stood."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, bytes], Answers[_Spans] | None] = {}
        self._news: dict[str, int] = {}
        """How many more lines of each pattern were new than were known."""

    def read(self, pattern: Pattern, raw: bytes) -> Fields:
        """The named groups of a pattern's regex in the kept text of a line that it matches."""
        text = raw.decode("utf-8", "replace")
        if len(raw) > LONGEST or self._news.get(pattern.name, 0) > TRIAL or not raw.isascii():
            return {name: text[begin:end] for name, begin, end in _spans(pattern, text)}
        key = pattern.name, raw.translate(ALIKE)
        known = self._known.get(key)
        spans = known.get(text) if known else None
        if spans is None:
            spans = _spans(pattern, text)
            self._learn(key, pattern, text, spans)
        else:
            self._news[pattern.name] -= 1
        return {name: text[begin:end] for name, begin, end in spans}

    def _learn(self, key: tuple[str, bytes], pattern: Pattern, text: str, spans: _Spans) -> None:
        self._news[pattern.name] = max(0, self._news.get(pattern.name, 0)) + 1
        if key not in self._known:
            if len(self._known) >= MOST:
                self._known.clear()
            places = telling_places(pattern.compiled.pattern, key[1].decode("ascii"))
            self._known[key] = None if places is None else Answers(places)
        known = self._known.get(key)
        if known is not None:
            known.learn(text, spans)


def _spans(pattern: Pattern, text: str) -> _Spans:
    m = pattern.compiled.search(text)
    groups = m.re.groupindex if m else ()
    return tuple((name, *m.span(name)) for name in groups if m.start(name) >= 0) if m else ()

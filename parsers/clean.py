"""Bytes of a log line to text that is safe to match and to show."""

from __future__ import annotations

from functools import lru_cache

from logtui.parsers.regex import regex

_ANSI = regex(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]"          # CSI: colours, cursor
    r"|\][^\x07\x1b]*(?:\x07|\x1b\\)?"      # OSC: titles, links, clipboard
    r"|[PX^_][^\x1b]*(?:\x1b\\)?"           # DCS, SOS, PM, APC
    r"|[ -/]*[0-~])"                        # two-character sequences
    r"|\x9b[0-?]*[ -/]*[@-~]"               # 8-bit CSI
)  # fmt: skip
BARE_COLOUR = regex(r"\[(?:0?[0-47]|[2-49]\d|10[0-7]|[34]8;[25](?:;\d{1,3}){1,3})(?:;\d{1,3}){0,2}m(?! ?[\d.]+s)")
"""A colour whose escape character got lost on the way to a page or an issue: `[36m`; not a time, `[2m 13s]`."""
_LOOKALIKES = {0xA0: " ", 0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0xFEFF: ""}
"""What a page puts in place of plain blanks and quotation marks, and the mark some editors begin a file with."""
_BEGINNINGS = tuple({chr(sign).encode()[:2] for sign in _LOOKALIKES})
"""Bytes without which a line has none: looking up each character of a long bar takes longer than all else here."""
PLAIN = bytes([0x09, *range(0x20, 0x7F)])
"""A line of these alone, as most are, is safe as it stands."""
_WITH_ESCAPES = PLAIN + b"\x1b"
_MAYBE_COLOUR = regex(r"\[[\d;]*m")
"""What some digits would make a bare colour."""
CONTROL = regex(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What a terminal acts on, or a page, beside tabs."""


def clean(raw: bytes) -> str:
    """Decode a line for matching: broken UTF-8 replaced, terminal sequences, NULs and other controls gone, and the
    signs that pages put in place of plain ones turned back.

    Tabs stay. Width and columns may differ from the raw line; offsets into it are not kept.
    """
    text = _printable(raw)
    return BARE_COLOUR.sub("", text) if "m" in text and BARE_COLOUR.search(text) else text


def cleans_alike(raw: bytes) -> bool:
    """Whether the same is cleaned away of all lines that differ from this one in digits alone."""
    return b"m" not in raw or _MAYBE_COLOUR.search(_printable(raw)) is None


def _printable(raw: bytes) -> str:
    """A line's text, but for colours without an escape character; no digit is told from another."""
    if not raw.translate(None, PLAIN):
        return raw.decode("ascii")
    text = raw.decode("utf-8", "replace")
    for beginning in _BEGINNINGS:
        if beginning in raw:
            text = text.translate(_LOOKALIKES)
            break
    if "\x1b" in text or "\x9b" in text:
        text = _ANSI.sub("", text)
    if not text.isprintable():  # mostly of returns, which go several times as fast by themselves
        text = text.replace("\r", "")
        text = text if text.isprintable() else CONTROL.sub("", text)
    return text


def places_of_text(raw: bytes) -> list[int] | None:
    """Where each character of a line's text stands in it, if nothing but terminal sequences is odd in it; else None.
    The same for all lines that differ from it in digits alone."""
    if raw.translate(None, _WITH_ESCAPES):
        return None
    line = raw.decode("ascii")
    starts, ends = [0], []
    for m in _ANSI.finditer(line):
        ends.append(m.start())
        starts.append(m.end())
    places = [at for start, end in zip(starts, [*ends, len(line)], strict=True) for at in range(start, end)]
    text = "".join(map(line.__getitem__, places))
    return None if "\x1b" in text or _MAYBE_COLOUR.search(text) else places


def clean_again(raw: bytes) -> str:
    """The same for lines that are asked for again and again, as those among the tracebacks of several ranks are."""
    return _cleaned(raw) if len(raw) <= REMEMBERED else clean(raw)


REMEMBERED = 512
"""Bytes of a line of which the text is kept."""
_cleaned = lru_cache(maxsize=1 << 13)(clean)


def segment(raw: bytes, hit: int) -> tuple[bytes, int]:
    """The part of a line between carriage returns that holds byte `hit`, and where it starts.

    Progress bars rewrite a line with `\\r`; a record that follows one shares the physical line with it.
    """
    start = raw.rfind(b"\r", 0, hit) + 1
    end = raw.find(b"\r", hit)
    return raw[start : end if end >= 0 else len(raw)], start

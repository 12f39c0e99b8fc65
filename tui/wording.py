"""Numbers as people read them: sizes, times of day, durations, counts."""

from __future__ import annotations

import math
import time as clock

_UNITS = ("B", "kB", "MB", "GB", "TB")


def size_text(count: int) -> str:
    """Bytes in decimal units, three digits at most: `41.5 MB`."""
    value, unit = float(count), 0
    while value >= 999.5 and unit < len(_UNITS) - 1:
        value /= 1000
        unit += 1
    return f"{value:.0f} {_UNITS[unit]}" if unit == 0 or value >= 99.95 else f"{value:.1f} {_UNITS[unit]}"


def count_text(count: int, noun: str) -> str:
    """`1 line`, `2 lines`, `12,345 lines`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def time_text(epoch: float | None, *, day: bool = False) -> str:
    """Time of day, with the date where asked for; blanks of the same width where unknown."""
    if epoch is None or not math.isfinite(epoch) or not 0 <= epoch < 2e11:
        return " " * (14 if day else 8)
    parts = clock.gmtime(epoch)
    return clock.strftime("%m-%d %H:%M:%S" if day else "%H:%M:%S", parts)


def duration_text(seconds: float) -> str:
    """`45 s`, `30 min`, `1 h 05 min`, `2 d 3 h`."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.0f} s"
    if whole < 3600:
        minutes, rest = divmod(whole, 60)
        return f"{minutes} min {rest:02d} s" if rest and minutes < 10 else f"{minutes} min"
    if whole < 86400:
        hours, rest = divmod(whole, 3600)
        return f"{hours} h {rest // 60:02d} min" if rest >= 60 else f"{hours} h"
    days, rest = divmod(whole, 86400)
    return f"{days} d {rest // 3600} h"


def ranks_text(ranks: tuple[int, ...] | list[int], limit: int = 6) -> str:
    """Ranks as ranges, `0–56, 58–127`; the rest counted after `limit` ranges."""
    ranges: list[tuple[int, int]] = []
    for rank in sorted(set(ranks)):
        if ranges and ranges[-1][1] == rank - 1:
            ranges[-1] = (ranges[-1][0], rank)
        else:
            ranges.append((rank, rank))
    shown = [f"{a}" if a == b else f"{a}–{b}" for a, b in ranges[:limit]]
    return ", ".join([*shown, f"+{len(ranges) - limit} more"] if len(ranges) > limit else shown)


def shortened(text: str, width: int) -> str:
    """A name with its middle left out where it does not fit: names differ at their ends, and kinds at their heads."""
    if len(text) <= width:
        return text
    head = max(width // 4, 1) if width > 8 else 0
    return text[:head] + "…" + text[len(text) - (width - head - 1) :]


def offset_text(seconds: float) -> str:
    """`+8 h`, `-5:30 h`, `+12.5 s`, `±0`: what is added to one clock to get the other."""
    if not seconds:
        return "±0"
    sign, whole = ("+" if seconds > 0 else "-"), abs(seconds)
    if whole % 60:
        return f"{sign}{whole:.3f}".rstrip("0").rstrip(".") + " s"
    hours, minutes = divmod(int(whole) // 60, 60)
    return (
        f"{sign}{hours}:{minutes:02d} h"
        if hours and minutes
        else f"{sign}{hours} h"
        if hours
        else f"{sign}{minutes} min"
    )

"""Sizes and durations as the daemons write them."""

from __future__ import annotations

import re
from functools import lru_cache

_SIZE = re.compile(r"(-?\d+(?:\.\d+)?)([KMGTP]i?B|B)$")
_SCALE = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "PiB": 1 << 50}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(h|ms|m|s|µs|us|ns)")
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "µs": 1e-6, "us": 1e-6, "ns": 1e-9}


@lru_cache(maxsize=4096)
def read_size(text: str) -> int | None:
    """Bytes of `54MiB`, `7.10TiB`, `0B`."""
    m = _SIZE.match(text)
    if m is None or m[2] not in _SCALE:
        return None
    return int(float(m[1]) * _SCALE[m[2]])


def read_duration(text: str) -> float | None:
    """Seconds of Go's `30s`, `1m30.5s`, `40.4065ms`."""
    found = _DURATION.findall(text)
    if not found or "".join(n + unit for n, unit in found) != text.lstrip("-"):
        return None
    return sum(float(n) * _SECONDS[unit] for n, unit in found)


def show_size(count: float) -> str:
    """`97.0 MiB`."""
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if abs(count) < 1024 or unit == "TiB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return ""


def show_seconds(seconds: float) -> str:
    """`1m30s`, `12.5s`, `40ms`."""
    if abs(seconds) < 1:
        return f"{seconds * 1000:.0f}ms"
    if abs(seconds) < 60:
        return f"{seconds:.1f}s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes:02d}m{rest:02d}s" if hours else f"{minutes}m{rest:02d}s"

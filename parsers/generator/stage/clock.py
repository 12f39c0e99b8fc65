"""Times as the producers print them. Seconds since the epoch, the wall clock taken as UTC."""

from __future__ import annotations

from functools import lru_cache
from time import gmtime, strftime


@lru_cache(maxsize=4096)
def _second(second: int) -> tuple[str, str, str, str]:
    """Date, time of day, c10's date without padding, glog's padded date."""
    t = gmtime(second)
    return strftime("%Y-%m-%d", t), strftime("%H:%M:%S", t), f"{t.tm_mon * 100 + t.tm_mday}", strftime("%m%d", t)


def dashed(time: float) -> str:
    """`2026-02-24 15:12:03`."""
    day, clock, _, _ = _second(int(time))
    return f"{day} {clock}"


def comma(time: float) -> str:
    """`2026-02-24 15:12:03,412`: Python's logging default."""
    return f"{dashed(time)},{int(time % 1 * 1000):03d}"


def micro(time: float) -> str:
    """`2026-02-24 15:12:03.412345`."""
    return f"{dashed(time)}.{int(time % 1 * 1e6):06d}"


def iso(time: float) -> str:
    """`2026-02-24T15:12:03`, as SLURM writes it."""
    day, clock, _, _ = _second(int(time))
    return f"{day}T{clock}"


def failure(time: float) -> str:
    """`2026-02-24_15:12:03`, as torchrun's failure block writes it."""
    day, clock, _, _ = _second(int(time))
    return f"{day}_{clock}"


def c10(time: float, boot: float) -> str:
    """`224 15:12:03.901221177`: no year, no padding, and the fraction is that of the monotonic clock."""
    _, clock, date, _ = _second(int(time))
    return f"{date} {clock}.{int((time + boot) % 1 * 1e9):09d}"


def padded(time: float) -> str:
    """`0224 15:12:03.412000`, as torch's Python loggers write it from 2.3 on."""
    _, clock, _, date = _second(int(time))
    return f"{date} {clock}.{int(time % 1 * 1000):03d}000"

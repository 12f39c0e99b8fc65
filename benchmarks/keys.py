"""From key to frame, in each pane, on a small and on a large case in turn; and what each key sends down the line.

`python benchmarks/keys.py --ranks 16384 --records 10000000 --gb 10`; the huge file is removed afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from big_case import BigJob, build
from textual import events
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot

from logtui.tui.app import LogtuiApp
from logtui.tui.lean_output import lean_driver

QUIET_S = 0.04
"""Nothing written for so long: the key is answered in full."""
LATEST_S = 5.0
WARM_UP = 3
MEDIAN_MS, P99_MS = 16.0, 50.0

SITUATIONS: Sequence[tuple[str, Sequence[str], Sequence[str]]] = (
    ("ranks: arrows", ("1",), ("right", "down", "right", "down", "left", "up")),
    ("ranks: pages", ("1",), ("pagedown", "pagedown", "pageup", "pageup")),
    ("ranks: next odd", ("1",), ("n", "right")),
    ("ranks: group", ("1",), ("p", "P")),
    ("ranks: modes", ("1",), ("v",)),
    ("ranks: odd first", ("1",), ("s",)),
    ("ranks: folded", ("1", "F"), ("down", "up")),
    ("ranks: fold, unfold", ("1", "F"), ("F",)),
    ("timeline: time cursor", ("2",), ("right", "right", "left")),
    ("timeline: zoom", ("2",), ("plus", "plus", "minus", "minus")),
    ("timeline: events", ("2",), ("down", "down", "up")),
    ("findings: rows", ("3",), ("down", "up")),
    ("files: rows", ("4",), ("down", "down", "up")),
    ("raw: lines", ("5",), ("down", "down", "up")),
    ("raw: pages", ("5",), ("pagedown", "pagedown", "pageup")),
    ("raw: ends", ("5",), ("G", "g")),
    ("anywhere: next event", ("1",), ("full_stop", "full_stop", "comma")),
    ("anywhere: back, forward", ("1", "c", "down", "c", "e", "1"), ("left_square_bracket", "right_square_bracket")),
)  # fmt: skip
"""What is measured, the keys that go there, the keys pressed over and over."""
KEYS = {
    "plus": "+", "minus": "-", "full_stop": ".", "comma": ",", "left_square_bracket": "[", "right_square_bracket": "]",
}  # fmt: skip


class CountingDriver(HeadlessDriver):
    """Takes what a terminal would get, and notes when."""

    bytes_written = 0
    written_at = 0.0
    first_at = 0.0

    @property
    def is_headless(self) -> bool:
        """Frames are rendered to the last byte."""
        return False

    def write(self, data: str) -> None:
        """Count."""
        self.bytes_written += len(data.encode())
        self.written_at = time.perf_counter()
        self.first_at = self.first_at or self.written_at

    def flush(self) -> None:
        """Nowhere to."""


@dataclass
class Answers:
    """How the keys of one kind were answered."""

    first_ms: list[float] = field(default_factory=list)
    last_ms: list[float] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)

    def words(self) -> str:
        """`median p99 of the first frame, of the last; bytes`."""
        if not self.first_ms:
            return f"{'no frame':>32}"
        first, last = self.first_ms, self.last_ms
        return (
            f"{median(first):6.1f} {p99(first):6.1f} {median(last):6.1f} {p99(last):6.1f} "
            f"{median(self.sent):7,.0f} {max(self.sent):7,}"
        )


def p99(values: Sequence[float]) -> float:
    """The 99th percentile; the worst of less than a hundred."""
    return sorted(values)[min(len(values) * 99 // 100, len(values) - 1)]


class Session:
    """An app that is driven."""

    def __init__(self, app: LogtuiApp, pilot: Pilot[int]) -> None:
        self.app, self.pilot = app, pilot
        self.answers: dict[str, Answers] = {}

    @property
    def driver(self) -> CountingDriver:
        """Where the frames go."""
        assert isinstance(self.app._driver, CountingDriver)
        return self.app._driver

    async def press(self, key: str) -> tuple[float, float, int]:
        """Milliseconds to the first and to the last write that a key led to, and their bytes."""
        driver = self.driver
        driver.bytes_written, driver.written_at, driver.first_at = 0, 0.0, 0.0
        start = time.perf_counter()
        character = KEYS.get(key, key if len(key) == 1 else None)
        self.app.post_message(events.Key(key, character))
        while time.perf_counter() - start < LATEST_S:
            await asyncio.sleep(QUIET_S / 2)
            if time.perf_counter() - (driver.written_at or start + QUIET_S) > QUIET_S and not self._busy():
                break
        return (driver.first_at - start) * 1000, (driver.written_at - start) * 1000, driver.bytes_written

    def _busy(self) -> bool:
        return any(not worker.is_finished for worker in self.app.workers)

    async def run(self, name: str, keys: Sequence[str], count: int) -> None:
        """Press keys over and over."""
        answers = self.answers.setdefault(name, Answers())
        for n in range(count):
            first, last, sent = await self.press(keys[n % len(keys)])
            if sent and n >= WARM_UP:
                answers.first_ms.append(first)
                answers.last_ms.append(last)
                answers.sent.append(sent)

    async def go(self, keys: Sequence[str]) -> None:
        """Press keys that are not measured."""
        for key in keys:
            await self.press(key)


async def measure(jobs: Sequence[BigJob], size: tuple[int, int], count: int) -> list[Session]:
    """Each situation on one case after the other, so that a machine's moods meet both."""
    async with AsyncExitStack() as stack:
        sessions = []
        for job in jobs:
            app = LogtuiApp([job.folder], title="keys", reader=job.read)
            app.driver_class = lean_driver(CountingDriver)
            pilot = await stack.enter_async_context(app.run_test(headless=False, size=size))
            await pilot.pause()
            await app.workers.wait_for_complete()
            await pilot.pause(0.5)
            sessions.append(Session(app, pilot))
        gc.collect()
        gc.freeze()
        for name, there, keys in SITUATIONS:
            for session in sessions:
                await session.go(there)
                await session.run(name, keys, count + WARM_UP)
        return sessions


def table(sessions: Sequence[Session], heads: Sequence[str]) -> Iterator[str]:
    """A row per kind of key."""
    head = "first frame ms  last frame ms   bytes per key"
    columns = " median    p99 median    p99  median     max"
    yield " " * 26 + " │ ".join(f"{h} · {head}"[: len(columns)].ljust(len(columns)) for h in heads)
    yield " " * 26 + " │ ".join([columns] * len(heads))
    for name, *_ in SITUATIONS:
        yield f"{name:<26}" + " │ ".join(s.answers[name].words() for s in sessions)


def verdict(session: Session) -> str:
    """Whether the limits hold on the large case."""
    slow = [n for n, a in session.answers.items() if a.first_ms and _over(a)]
    return f"over {MEDIAN_MS:.0f} ms median or {P99_MS:.0f} ms p99: {', '.join(slow) or 'none'}"


def _over(answers: Answers) -> bool:
    return median(answers.first_ms) > MEDIAN_MS or p99(answers.first_ms) > P99_MS


@contextmanager
def folder_for(wanted: Path | None) -> Iterator[Path]:
    """A folder that is gone afterwards."""
    made = Path(tempfile.mkdtemp(prefix="logtui-keys-", dir=wanted))
    try:
        yield made
    finally:
        shutil.rmtree(made)


def main() -> int:
    """0 within the limits, 1 over them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ranks", type=int, default=16384)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--gb", type=float, default=0.5, help="size of the file in the raw viewer")
    parser.add_argument("--size", default="120x40", help="of the terminal")
    parser.add_argument("--count", type=int, default=40, help="keys of each kind")
    parser.add_argument("--folder", type=Path, help="where the huge file goes")
    args = parser.parse_args()
    width, height = (int(part) for part in args.size.split("x"))
    with folder_for(args.folder) as folder:
        small = build(folder / "small", 128, 10_000, 1 << 20)
        large = build(folder / "large", args.ranks, args.records, int(args.gb * 1e9))
        sessions = asyncio.run(measure((small, large), (width, height), args.count))
    heads = ("128 ranks", f"{args.ranks:,} ranks, {args.records:,} records, {args.gb:g} GB")
    print("\n".join(table(sessions, heads)))
    print(verdict(sessions[-1]))
    return int(any(_over(a) for a in sessions[-1].answers.values() if a.first_ms))


if __name__ == "__main__":
    sys.exit(main())

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
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from big_case import BigJob, build
from situations import CHARACTERS, RESIZE, SITUATIONS, Situation
from textual import events
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Size
from textual.pilot import Pilot
from textual.screen import Screen

from logtui.diagnosis.session.opening import Options, Update, analyse
from logtui.parsers.generator import JobSpec, generate, write_dumps
from logtui.parsers.generator.faults.storage import write_cluster
from logtui.parsers.generator.stage.spec import Fault
from logtui.tui.app import LogtuiApp
from logtui.tui.garbage import spare_frames
from logtui.tui.lean_output import lean_driver
from logtui.tui.process_start import prepare_processes

QUIET_S = 0.04
"""Nothing written for so long: the key is answered in full."""
LATEST_S = 5.0
WARM_UP = 3
OSC = "\x1b]"
MEDIAN_MS, P99_MS = 16.0, 50.0


class CountingDriver(HeadlessDriver):
    """Takes what a terminal would get, and notes when."""

    bytes_written = 0
    written_at = 0.0
    first_at = 0.0
    first_cpu = 0.0
    """Processor time of the thread that draws."""

    @property
    def is_headless(self) -> bool:
        """Frames are rendered to the last byte."""
        return False

    left: Screen[object] | None = None
    """Frames of this screen do not answer a key that leads to another one."""

    def write(self, data: str) -> None:
        """Count. What only tells the terminal of the mouse's shape or of its title is no frame."""
        self.bytes_written += len(data.encode())
        self.written_at = time.perf_counter()
        if not self.first_at and not data.startswith(OSC) and self._app.screen is not self.left:
            self.first_at, self.first_cpu = self.written_at, time.thread_time()

    def flush(self) -> None:
        """Nowhere to."""


@dataclass
class Answers:
    """How the keys of one kind were answered."""

    first_ms: list[float] = field(default_factory=list)
    last_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    """Of the first frame: what other users of the machine do does not count."""
    sent: list[int] = field(default_factory=list)

    def __add__(self, other: Answers) -> Answers:
        """Both together."""
        return Answers(*(mine + theirs for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True)))

    def cells(self) -> str:
        """Markdown: median and p99 of the first frame, of its processor time, median of the last, bytes."""
        if not self.first_ms:
            return "– | – | – | – | – | –"
        first, cpu = self.first_ms, self.cpu_ms
        times = (median(first), p99(first), median(cpu), p99(cpu), median(self.last_ms))
        return " | ".join([*(f"{t:.1f}" for t in times), f"{median(self.sent):,.0f}"])


def p99(values: Sequence[float]) -> float:
    """The 99th percentile; the worst of less than a hundred."""
    return sorted(values)[min(len(values) * 99 // 100, len(values) - 1)]


class Session:
    """An app that is driven."""

    def __init__(self, app: LogtuiApp, pilot: Pilot[int], size: Size) -> None:
        self.app, self.pilot, self.size = app, pilot, size
        self.answers: dict[Situation, Answers] = {}

    @property
    def driver(self) -> CountingDriver:
        """Where the frames go."""
        assert isinstance(self.app._driver, CountingDriver)
        return self.app._driver

    async def press(self, key: str, going_on: bool = False, leaves: bool = False) -> tuple[float, float, float, int]:
        """Milliseconds to the first frame that a key led to, of them processor time, to the last; their bytes."""
        driver = self.driver
        driver.bytes_written, driver.written_at, driver.first_at = 0, 0.0, 0.0
        driver.left = self.app.screen if leaves else None
        start, cpu = time.perf_counter(), time.thread_time()
        self._send(key)
        while time.perf_counter() - start < LATEST_S:
            asleep = time.perf_counter()
            await asyncio.sleep(QUIET_S / 2)
            if going_on and driver.first_at:
                break
            if time.perf_counter() - asleep > QUIET_S:
                continue  # kept from waking up: there is more to come
            if time.perf_counter() - (driver.written_at or start + QUIET_S) > QUIET_S and not self._busy():
                break
        first, used, last = driver.first_at - start, driver.first_cpu - cpu, driver.written_at - start
        return first * 1000, used * 1000, last * 1000, driver.bytes_written

    def _send(self, key: str) -> None:
        if key == RESIZE:
            wide = self.app.size == self.size
            now = Size(self.size.width + 20, self.size.height + 5) if wide else self.size
            self.driver._size = now  # type: ignore[assignment]  # where the framework's own pilot puts it
            self.app.post_message(events.Resize(now, now))
        else:
            self.app.post_message(events.Key(key, CHARACTERS.get(key, key if len(key) == 1 else None)))

    def _busy(self) -> bool:
        """Whether something more is to come; a search goes through all of the file, whatever is pressed meanwhile."""
        return any(not worker.is_finished and worker.group != "search" for worker in self.app.workers)

    async def run(self, situation: Situation, count: int) -> None:
        """Press keys over and over."""
        answers = self.answers.setdefault(situation, Answers())
        for n in range(count):
            key = situation.keys[n % len(situation.keys)]
            first, cpu, last, sent = await self.press(key, situation.going_on, situation.leaves)
            if sent and n >= WARM_UP:
                answers.first_ms.append(first)
                answers.cpu_ms.append(cpu)
                answers.last_ms.append(last)
                answers.sent.append(sent)
            if situation.going_on:
                await asyncio.sleep(QUIET_S)  # as fast as a key that is held down

    async def go(self, keys: Sequence[str]) -> None:
        """Press keys that are not measured."""
        for key in keys:
            await self.press(key, going_on=True)
            await asyncio.sleep(QUIET_S)

    def has(self, needs: str) -> bool:
        """Whether the case holds what a situation needs."""
        view = self.app.case_screen.view
        return not needs or (view is not None and getattr(view, needs) is not None)

    def per_pane(self) -> dict[str, Answers]:
        """The keys of each pane together."""
        panes: dict[str, Answers] = {}
        for situation, answers in self.answers.items():
            panes[situation.pane] = panes.get(situation.pane, Answers()) + answers
        return panes


async def measure(jobs: Sequence[Job], size: Size, count: int, only: str = "") -> list[Session]:
    """Each situation on one case after the other, so that a machine's moods meet all."""
    async with AsyncExitStack() as stack:
        sessions = []
        for job in jobs:
            app = LogtuiApp([job.folder], Options(no_cache=True), title="keys", reader=job.read)
            app.driver_class = lean_driver(CountingDriver)
            pilot = await stack.enter_async_context(app.run_test(headless=False, size=tuple(size)))
            await pilot.pause()
            await app.workers.wait_for_complete()
            await pilot.pause(0.5)
            sessions.append(Session(app, pilot, size))
        gc.collect()
        spare_frames()  # as the app does
        for situation in (s for s in SITUATIONS if only in s.title):
            for session in sessions:
                if session.has(situation.needs):
                    await session.go(situation.there)
                    await session.run(situation, count + WARM_UP)
                    await session.go(situation.back)
                    print(
                        situation.title, session.answers[situation].cells(), sep=" | ", file=sys.__stderr__, flush=True
                    )
        return sessions


HEAD = (
    "| keys | case | first frame ms | p99 | its CPU ms | p99 | all panes ms | bytes a key |\n"
    "|---|---|---|---|---|---|---|---|"
)


def table(sessions: Sequence[Session], names: Sequence[str]) -> Iterator[str]:
    """Markdown: a row per kind of key and case, then a row per pane."""
    yield HEAD
    for situation in SITUATIONS:
        for session, name in zip(sessions, names, strict=True):
            if situation in session.answers:
                yield f"| {situation.title} | {name} | {session.answers[situation].cells()} |"
    yield ""
    yield HEAD.replace("keys", "pane, all keys", 1)
    panes = [session.per_pane() for session in sessions]
    for pane in dict.fromkeys(s.pane for s in SITUATIONS):
        for of_session, name in zip(panes, names, strict=True):
            if pane in of_session:
                yield f"| {pane} | {name} | {of_session[pane].cells()} |"


def verdict(sessions: Sequence[Session], names: Sequence[str]) -> Iterator[str]:
    """What is over the limits."""
    for session, name in zip(sessions, names, strict=True):
        slow = [s.title for s, a in session.answers.items() if a.first_ms and _over(a)]
        yield f"{name}: over {MEDIAN_MS:.0f} ms median or {P99_MS:.0f} ms p99: {', '.join(slow) or 'none'}"


def _over(answers: Answers) -> bool:
    return median(answers.first_ms) > MEDIAN_MS or p99(answers.first_ms) > P99_MS


@dataclass(frozen=True)
class RealJob:
    """A generated job that is read from its files: storage daemons and dumps among them."""

    folder: Path

    def read(self, paths: Sequence[Path], options: Options | None, cancelled: Callable[[], bool]) -> Iterator[Update]:
        """As the app reads."""
        return analyse(paths, options, cancelled)


Job = BigJob | RealJob


def write_real(folder: Path, ranks: int) -> RealJob:
    """A storage stall with the logs of its daemons and a dump of each rank."""
    spec = JobSpec(fault=Fault.STORAGE_STALL, world_size=ranks, pytorch="2.8", recorder=True)
    if not folder.exists():
        generate(spec, folder)
        write_cluster(spec, folder / "ais")
        write_dumps(spec, folder / "flight-recorder")
    return RealJob(folder)


@contextmanager
def folder_for(wanted: Path | None) -> Iterator[Path]:
    """A folder that is gone afterwards."""
    made = Path(tempfile.mkdtemp(prefix="logtui-keys-", dir=wanted))
    try:
        yield made
    finally:
        shutil.rmtree(made)


def add_options(parser: argparse.ArgumentParser) -> None:
    """How large the cases are."""
    parser.add_argument("--ranks", type=int, default=16384)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--gb", type=float, default=0.5, help="size of the file in the raw viewer")
    parser.add_argument("--real", type=int, default=1024, help="ranks of the job with daemons and dumps; 0 for none")
    parser.add_argument("--size", default="120x40", help="of the terminal")
    parser.add_argument("--count", type=int, default=40, help="keys of each kind")
    parser.add_argument("--only", default="", help="only rows with this in their name")
    parser.add_argument("--folder", type=Path, help="where the huge file goes")


def run(args: argparse.Namespace) -> tuple[list[Session], list[str]]:
    """Press all keys; the cases, and their names."""
    size = Size(*(int(part) for part in args.size.split("x")))
    with folder_for(args.folder) as folder:
        jobs: list[Job] = [build(folder / "small", 128, 10_000, 1 << 20)]
        jobs.append(build(folder / "large", args.ranks, args.records, int(args.gb * 1e9)))
        names = ["128 ranks", f"{args.ranks:,} ranks, {args.records:,} records, {args.gb:g} GB"]
        if args.real:
            jobs.append(write_real(folder / "real", args.real))
            names.append(f"{args.real:,} ranks with daemons and dumps")
        prepare_processes()
        return asyncio.run(measure(jobs, size, args.count, args.only)), names


def main() -> int:
    """0 within the limits, 1 over them."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    sessions, names = run(parser.parse_args())
    print("\n".join([*table(sessions, names), "", *verdict(sessions, names)]))
    return int(any(_over(a) for session in sessions for a in session.answers.values() if a.first_ms))


if __name__ == "__main__":
    sys.exit(main())

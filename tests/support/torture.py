"""Hostile inputs by the thousand: jobs of the generator, broken in every way, each read in a process of its own.

`python tests/support/torture.py --cases 10000 --seed 1` prints what failed and how to see it again; see `make torture`.
A case is told by its number alone: its files are the same each time. The processes are forks of this one, in which
everything is imported and all formats are ready; time and memory of a case are those of its fork.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import faulthandler
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from hostile import FAULTS, KINDS, Jobs, Place

from logtui.diagnosis.session.opening import Options
from logtui.diagnosis.verdict import engine
from logtui.parsers.directories import config_file
from logtui.parsers.registry import registry
from logtui.parsers.scan import program, task
from logtui.tui import cli
from logtui.tui.app import LogtuiApp
from logtui.tui.screens.session_store import session_path
from logtui.tui.settings import read_settings

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What no output may hold."""
MOST_S, TIMES_HEALTHY = 2.0, 3.0
"""Seconds of the processor for one case, and multiples of what the healthy job takes; see also `_grown`."""
STALLED_S = 300
"""Of the clock; then a case has not ended, and its fork is stopped where it is."""
MOST_BYTES = 512 << 20
MOST_SPACE = 4 << 30
"""Addresses of a case, rather than those of the machine's other processes."""
KEYS = (
    "S",
    "enter",
    "tab",
    "v",
    "F",
    "w",
    "R",
    "j",
    "n",
    "e",
    "u",
    "u",
    "m",
    "g",
    "G",
    "slash",
    "question_mark",
    "escape",
)
"""What is pressed on the screen; nothing that leaves it or writes a file."""


@dataclass(frozen=True)
class Trouble:
    """One case that did not end as it should."""

    case: int
    what: str


@dataclass(frozen=True)
class Ended:
    """What a fork has to say, and what it took."""

    wrong: list[str]
    seconds: float
    """Of the processor."""
    most_bytes: int
    """Of memory, with what it shares with this process."""


@dataclass
class Campaign:
    """Some cases, and what became of them."""

    folder: Path
    seed: int = 1
    only: str = ""
    """The one kind that is tried."""
    found: list[Trouble] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    """How often each kind of case was tried."""
    slowest: tuple[float, int] = (0.0, -1)
    largest: tuple[int, int] = (0, -1)
    _healthy: dict[tuple[Path, bool], float] = field(default_factory=dict)
    """Seconds of a job, with the screen or without, where any case of it was slow."""

    def __post_init__(self) -> None:
        """Get ready once what every case needs."""
        self._jobs = Jobs(self.folder / "jobs", lambda job, path: apart(lambda: _write_case(job, path)))
        job = self._jobs.job(FAULTS[0])
        _live_in(self.folder / "nothing")
        _read(job)
        _open_screen(job, ("S",))

    def run(self, cases: Sequence[int], told: Callable[[int], object] = lambda done: None) -> None:
        """Try the cases of some numbers."""
        for done, number in enumerate(cases):
            told(done)
            rng = random.Random(f"{self.seed}/{number}")
            kind = self.only or rng.choices(tuple(KINDS), [k.share for k in KINDS.values()])[0]
            job, folder = self._jobs.job(rng.choice(FAULTS)), self.folder / "case"
            shutil.rmtree(folder, ignore_errors=True)
            self.kinds[kind] += 1
            path = KINDS[kind].make(Place(rng, self._jobs, job, folder))
            self._try(number, kind, path, job, rng.sample(KEYS, 4), KINDS[kind].options(rng))

    def _try(self, number: int, kind: str, path: Path, job: Path, keys: Sequence[str], options: Sequence[str]) -> None:
        screen, folder = KINDS[kind].screen, self.folder / "case"
        ended = apart(lambda: _tried(path, folder, ("S", *keys) if screen else (), options))
        self.slowest = max(self.slowest, (ended.seconds, number))
        self.largest = max(self.largest, (ended.most_bytes, number))
        wrong = list(ended.wrong)
        if ended.seconds > MOST_S and ended.seconds > MOST_S + self._more_s(job, path, screen=screen):
            wrong.append(f"took {ended.seconds:.1f} s")
        if ended.most_bytes > MOST_BYTES:
            wrong.append(f"took {ended.most_bytes >> 20} MiB")
        for what in wrong:
            self.found.append(Trouble(number, f"{kind}: {what}"))
            print(f"case {number} of seed {self.seed}: {kind}: {what}", file=sys.stderr, flush=True)

    def _more_s(self, job: Path, path: Path, *, screen: bool) -> float:
        """How much longer a case may take, by what its job takes, with the screen or without."""
        known = self._healthy
        if (job, screen) not in known:
            keys = ("S", *KEYS[:4]) if screen else ()
            known[job, screen] = apart(lambda: _tried(job, self.folder / "nothing", keys)).seconds
        return TIMES_HEALTHY * known[job, screen] * _grown(job, path)


# -- Forks


def apart(work: Callable[[], object]) -> Ended:
    """Do something in a fork of this process; what it returns is what was wrong."""
    reading, writing = os.pipe()
    sys.stderr.flush()
    if (child := os.fork()) == 0:
        os.close(reading)
        _do(work, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    _, status, usage = os.wait4(child, 0)
    wrong = json.loads(said) if said else [f"ended with status {os.waitstatus_to_exitcode(status)}"]
    return Ended(wrong, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def _do(work: Callable[[], object], writing: int) -> None:
    """All that a fork does; it never comes back."""
    faulthandler.register(signal.SIGALRM, chain=True)  # tells where it was
    signal.alarm(STALLED_S)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_SPACE, MOST_SPACE))
    try:
        wrong = work() or []
    except BaseException as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        wrong = [f"{type(error).__name__}: {error} at {at.filename}:{at.lineno}"[:300]]
    with contextlib.suppress(BaseException), os.fdopen(writing, "wb") as pipe:
        pipe.write(json.dumps(wrong).encode())
    os._exit(0)


# -- What a case goes through


def _tried(path: Path, folder: Path, keys: Sequence[str], options: Sequence[str] = ()) -> list[str]:
    """What is wrong with a report, and with the screen where keys are given."""
    _live_in(folder)
    if (folder / "config").exists():
        _forget_formats()
    if (folder / "session").exists():
        session_path([path]).parent.mkdir(parents=True)
        shutil.copy(folder / "session", session_path([path]))
    status, out, err = _read(path, options)
    wrong = [
        *_wrong(status, out, err, path, whole=not options),
        *(_wrong_version() if (folder / "config").exists() else ()),
    ]
    return [*wrong, *_open_screen(path, keys)] if keys and status != cli.UNREADABLE else wrong


def _live_in(folder: Path) -> None:
    """Let what the user keeps be kept below a folder."""
    for what in ("CONFIG", "STATE", "CACHE"):
        os.environ[f"XDG_{what}_HOME"] = str(folder / what.lower())


def _forget_formats() -> None:
    """As a process that has just begun."""
    for module in [m for name, m in sys.modules.items() if name.startswith("logtui.")]:
        for kept in list(vars(module).values()):
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()
    task._mine.__dict__.clear()
    assert program._site.cache_info().currsize == registry.cache_info().currsize == 0


def _run(*arguments: str) -> tuple[int, str, str]:
    """Exit status and both outputs of the command."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = cli.main(arguments)
        except SystemExit as left:
            status = int(left.code or 0)
    return status, out.getvalue(), err.getvalue()


def _read(path: Path, options: Sequence[str] = ()) -> tuple[int, str, str]:
    return _run(str(path), "--json", "--no-cache", "--jobs", "1", *options)


def _write_case(job: Path, path: Path) -> None:
    _run(str(job), "--case", str(path), "--no-cache", "--jobs", "1")


def _wrong_version() -> Iterator[str]:
    """It names the formats of the site, and why some are left out."""
    status, out, err = _run("--version")
    if status or err or CONTROL.search(out):
        yield f"--version: {status} {err} {out}"[:300]


def _open_screen(path: Path, keys: Sequence[str]) -> list[str]:
    """What is wrong with the app, after some keys."""
    app = LogtuiApp([path], Options(no_cache=True, jobs=1), settings=read_settings(config_file()))
    asyncio.run(_press(app, keys))
    failed = [n.message for n in app._notifications if n.severity == "error"]
    gone = [str(app.failure)] if app.failure else []
    return [f"on the screen: {what}"[:300] for what in (*failed, *gone)]


async def _press(app: LogtuiApp, keys: Sequence[str]) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        for key in ("", *keys):
            await pilot.press(*filter(None, [key]))
            await _settle(app)


async def _settle(app: LogtuiApp) -> None:
    """Until nothing runs; what a worker has found may start another."""
    while True:
        await app.workers.wait_for_complete()
        await asyncio.sleep(0)
        if all(worker.is_finished for worker in app.workers):
            return


def _wrong(status: int, out: str, err: str, path: Path, *, whole: bool = True) -> Iterator[str]:
    """What must not be, whatever the input is, and whether or not all of it was asked for."""
    if cli.PLEASE_REPORT in err:
        yield err.strip()[:300]
        return
    if status not in (0, 1, 2) or (status != 2) != bool(out):
        yield f"exit status {status} with {len(out)} characters"
    for name, text in (("output", out), ("messages", err)):
        if found := CONTROL.search(text):
            yield f"{found[0]!r} in the {name}"
    if out and whole:
        yield from _uncounted(json.loads(out), path)


def _uncounted(report: dict[str, Any], path: Path) -> Iterator[str]:
    """Files and bytes that are neither read nor said to be unread."""
    coverage = report["coverage"]
    if path.is_dir() and not any(p.suffix in (".tar", ".gz", ".zip") for p in path.rglob("*")):
        sizes = {str(p.relative_to(path)): p.stat().st_size for p in path.rglob("*") if p.is_file()}
        unread = {u["file"] for u in coverage["files_unread"]}
        if coverage["files"] + len(unread) < len(sizes):
            yield f"{len(sizes)} files, of which {coverage['files']} are read and {len(unread)} are not"
        if not unread and coverage["bytes"] != sum(sizes.values()):
            yield f"{sum(sizes.values())} bytes, of which {coverage['bytes']} are read"


def _grown(job: Path, path: Path) -> float:
    """How many times as large as its job a case is: a line of a megabyte may be 10,000 records, and is so much work."""
    sizes = (sum(p.stat().st_size for p in (root, *root.rglob("*")) if p.is_file()) for root in (job, path))
    before, now = sizes
    return max(1.0, now / before)


def main() -> int:
    """Run some cases; 1 if any of them failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=KINDS, default="")
    args = parser.parse_args()
    engine.TOLERANT = False
    begun = monotonic()
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(Path(folder), args.seed, args.only)

        def told(done: int) -> None:
            if done and not done % 500:
                print(f"{done} cases in {monotonic() - begun:.0f} s: {len(campaign.found)} failed", flush=True)

        campaign.run(range(args.first, args.first + args.cases), told)
    kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(campaign.kinds.items()))
    print(f"{args.cases} cases ({kinds}) in {monotonic() - begun:.0f} s: {len(campaign.found)} failed")
    (seconds, slow), (most, large) = campaign.slowest, campaign.largest
    print(f"slowest {seconds:.2f} s (case {slow}), most memory {most >> 20} MiB (case {large})")
    return bool(campaign.found)


if __name__ == "__main__":
    sys.exit(main())

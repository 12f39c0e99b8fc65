"""Hostile inputs by the thousand: jobs of the generator, broken in every way, read in this process.

`python tests/support/torture.py --cases 10000 --seed 1` prints what failed and how to see it again; see `make torture`.
A case is told by its number alone: its files are the same each time.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import io
import json
import pickle
import random
import re
import resource
import shutil
import sys
import tarfile
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, process_time

from mutations import MUTATIONS, changed_value, cut, escapes, flip, nuls, numbers, with_shared

from logtui.diagnosis.verdict import engine
from logtui.parsers.files.zstd import compress, unpacking
from logtui.parsers.generator import Fault, JobSpec, generate
from logtui.parsers.generator.flight_recorder import write_dumps
from logtui.tui import cli

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What no output may hold."""
MOST_S, TIMES_HEALTHY = 2.0, 3.0
"""Seconds of the processor for one case, and multiples of what the healthy job takes; see also `_grown`."""
MOST_BYTES = 512 << 20
MOST_SPACE = 4 << 30
"""Addresses of a campaign."""
NAMES = (
    "a`<img src=x onerror=alert(1)>`b rank0.log", "c`[click](http://evil)`d rank1.log", "x`|`y rank2.log",
    "new\nline.log", "\x1b[31mred\x1b]0;owned\x07.log", "\u202egol.txt.log", "[bold red]rank3[/].log", "-rf.log",
    "rank99999999999999999999.log", "log-20251120-031500.log", "```.log", "$(id).log", "a" * 200 + ".log",
)  # fmt: skip
FAULTS = tuple(fault for fault in Fault if "chain" not in fault.value)


@dataclass
class Trouble:
    """One case that did not end as it should."""

    case: int
    what: str


@dataclass
class Campaign:
    """Some cases, and what became of them."""

    seed: int = 1
    found: list[Trouble] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    """How often each kind of case was tried."""
    slowest: tuple[float, int] = (0.0, -1)
    only: str = ""
    """The one kind that is tried."""

    def run(self, cases: Sequence[int], folder: Path) -> None:
        """Try the cases of some numbers."""
        jobs = list(_jobs(folder / "jobs"))
        healthy = {job: _read(job, folder / "cache")[3] for job in jobs}
        for number in cases:
            rng = random.Random(f"{self.seed}/{number}")
            job = rng.choice(jobs)
            where = folder / "case"
            shutil.rmtree(where, ignore_errors=True)
            kind = self.only or rng.choice(tuple(KINDS))
            self.kinds[kind] += 1
            paths = KINDS[kind](rng, job, where)
            self._try(number, kind, paths, where, MOST_S + TIMES_HEALTHY * healthy[job] * _grown(job, paths))

    def _try(self, number: int, kind: str, path: Path, folder: Path, most_s: float) -> None:
        before = _peak_bytes()
        try:
            status, out, err, took = _read(path, folder / "cache")
        except Exception as error:
            self._note(number, kind, f"{type(error).__name__}: {error}"[:300])
            return
        self.slowest = max(self.slowest, (took, number))
        if took > most_s:
            self._note(number, kind, f"took {took:.1f} s")
        if _peak_bytes() - before > MOST_BYTES:
            self._note(number, kind, f"took {(_peak_bytes() - before) >> 20} MiB more than all cases before it")
        for what in _wrong(status, out, err, path):
            self._note(number, kind, what)

    def _note(self, number: int, kind: str, what: str) -> None:
        self.found.append(Trouble(number, f"{kind}: {what}"))
        print(f"case {number} of seed {self.seed}: {kind}: {what}", file=sys.stderr, flush=True)


def _peak_bytes() -> int:
    """The most memory this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _grown(job: Path, path: Path) -> float:
    """How many times as large as its job a case is: a line of a megabyte may be 10,000 records, and is so much work."""
    sizes = (sum(p.stat().st_size for p in (root, *root.rglob("*")) if p.is_file()) for root in (job, path))
    before, now = sizes
    return max(1.0, now / before)


def _jobs(folder: Path) -> Iterator[Path]:
    """Jobs of sixteen ranks on two nodes, one for each fault."""
    for number, fault in enumerate(FAULTS):
        where = folder / fault.value
        generate(JobSpec(fault=fault, world_size=16, culprits=(5,), pytorch="2.7", seed=number), where)
        yield where


def _mutated(rng: random.Random, job: Path, folder: Path) -> Path:
    for path in sorted(p for p in job.rglob("*") if p.is_file()):
        data = path.read_bytes()
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            data = rng.choice(MUTATIONS)(rng, data)[: 8 << 20] or b"\n"
        to = folder / "logs" / path.relative_to(job)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(data)
    return folder / "logs"


def _named(rng: random.Random, job: Path, folder: Path) -> Path:
    """The job's files, whole, by names that nobody should have given them."""
    names = rng.sample(NAMES, len(NAMES))
    for path, name in zip(sorted(p for p in job.rglob("*") if p.is_file()), names, strict=False):
        to = folder / "logs" / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(path.read_bytes())
    return folder / "logs"


def _packed(rng: random.Random, job: Path, folder: Path) -> Path:
    """An archive of a mutated job, itself mutated now and then."""
    logs, packed = _mutated(rng, job, folder), io.BytesIO()
    suffix = rng.choice((".tar", ".tar.gz", ".zip", ".log.gz"))
    files = [p for p in sorted(logs.rglob("*")) if p.is_file()]
    if suffix == ".zip":
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in files:
                archive.write(path, rng.choice((path.name, "../../" + path.name, "/" + path.name)))
    elif suffix == ".log.gz":
        packed.write(gzip.compress(files[0].read_bytes(), mtime=0))
    else:
        with tarfile.open(fileobj=packed, mode="w:gz" if suffix == ".tar.gz" else "w") as archive:
            for path in files:
                archive.add(path, rng.choice((path.name, "../" + path.name)))
    data = packed.getvalue()
    to = folder / "packed"
    to.mkdir()
    (to / f"job{suffix}").write_bytes(rng.choice((cut, flip, flip))(rng, data) if rng.random() < 0.6 else data)
    return to


def _case_file(rng: random.Random, job: Path, folder: Path) -> Path:
    """A case file of the job, some of its members changed, or its bytes."""
    folder.mkdir(parents=True)
    path = folder / "job.case"
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        cli.main([str(job), "--case", str(path), "--no-cache", "--jobs", "1"])
    with path.open("rb") as raw:
        data = unpacking(raw).read()
    change = _other_members if rng.random() < 0.8 else rng.choice((flip, numbers, cut, escapes))
    data = change(rng, data)
    packed = compress(data)
    path.write_bytes((rng.choice((flip, cut))(rng, packed) if rng.random() < 0.1 else packed) or b"\n")
    return path


def _other_members(rng: random.Random, data: bytes) -> bytes:
    """An archive with some of its members, which are JSON or text, changed."""
    out = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(data)) as before, tarfile.open(fileobj=out, mode="w") as after:
        members = before.getmembers()
        changed = set(rng.sample(range(len(members)), rng.choice((1, 1, 2))))
        for at, info in enumerate(members):
            held = before.extractfile(info)
            text = held.read() if held else b""
            if at in changed and info.name.endswith(".json"):
                text = json.dumps(changed_value(rng, json.loads(text))).encode()
            elif at in changed:
                text = rng.choice(MUTATIONS)(rng, text or b"\n")
            info.size = len(text)
            after.addfile(info, io.BytesIO(text))
    return out.getvalue()


def _dumps(rng: random.Random, job: Path, folder: Path) -> Path:
    """The job with a flight-recorder dump of each rank, pickled or JSON, some of them changed."""
    shutil.copytree(job, folder / "logs")
    spec = JobSpec(fault=Fault.DATA_STALL, world_size=16, culprits=(5,), pytorch="2.7", seed=rng.randrange(4))
    for path in write_dumps(spec, folder / "logs" / "dumps", as_json=True):
        value = json.loads(path.read_bytes())
        if pickled := rng.random() < 0.5:
            path.unlink()
        if rng.random() < 0.4:
            value = rng.choice((changed_value, with_shared) if pickled else (changed_value,))(rng, value)
        data = pickle.dumps(value, rng.choice((2, 4))) if pickled else json.dumps(value).encode()
        if rng.random() < 0.2:
            data = rng.choice((flip, cut, numbers, nuls))(rng, data)
        (path.with_suffix("") if pickled else path).write_bytes(data or b"\n")
    return folder / "logs"


KINDS: dict[str, Callable[[random.Random, Path, Path], Path]] = {
    "files": _mutated,
    "files again": _mutated,
    "names": _named,
    "archive": _packed,
    "case file": _case_file,
    "dumps": _dumps,
}


def _read(path: Path, cache: Path) -> tuple[int, str, str, float]:
    """Exit status, both outputs and processor seconds of a headless run."""
    out, err, begun = io.StringIO(), io.StringIO(), process_time()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = cli.main([str(path), "--json", "--no-cache", "--jobs", "1"])
        except SystemExit as left:
            status = int(left.code or 0)
    return status, out.getvalue(), err.getvalue(), process_time() - begun


def _wrong(status: int, out: str, err: str, path: Path) -> Iterator[str]:
    """What must not be, whatever the input is."""
    if cli.PLEASE_REPORT in err:
        yield err.strip()[:300]
        return
    if status not in (0, 1, 2) or (status != 2) != bool(out):
        yield f"exit status {status} with {len(out)} characters"
    for name, text in (("output", out), ("messages", err)):
        if found := CONTROL.search(text):
            yield f"{found[0]!r} in the {name}"
    if out:
        yield from _uncounted(json.loads(out), path)


def _uncounted(report: dict[str, object], path: Path) -> Iterator[str]:
    coverage = report["coverage"]
    assert isinstance(coverage, dict)
    if path.is_dir() and not any(p.suffix in (".tar", ".gz", ".zip") for p in path.rglob("*")):
        there = sum(p.is_file() for p in path.rglob("*"))
        unread = {u["file"] for u in coverage["files_unread"]}
        if coverage["files"] + len(unread) < there:
            yield f"{there} files, of which {coverage['files']} are read and {len(unread)} are not"


def main() -> int:
    """Run some cases; 1 if any of them failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=KINDS, default="")
    args = parser.parse_args()
    engine.TOLERANT = False
    resource.setrlimit(resource.RLIMIT_AS, (MOST_SPACE, MOST_SPACE))  # rather than the machine's other processes
    campaign, begun = Campaign(args.seed, only=args.only), monotonic()
    with tempfile.TemporaryDirectory() as folder:
        campaign.run(range(args.first, args.first + args.cases), Path(folder))
    kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(campaign.kinds.items()))
    print(f"{args.cases} cases ({kinds}) in {monotonic() - begun:.0f} s: {len(campaign.found)} failed")
    print(f"slowest {campaign.slowest[0]:.2f} s (case {campaign.slowest[1]}), most memory {_peak_bytes() >> 20} MiB")
    return bool(campaign.found)


if __name__ == "__main__":
    sys.exit(main())

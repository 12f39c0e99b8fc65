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

from logtui.diagnosis.verdict import engine
from logtui.parsers.generator import Fault, JobSpec, generate
from logtui.tui import cli

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What no output may hold."""
MOST_S, TIMES_HEALTHY = 2.0, 3.0
"""Seconds of the processor for one case, and multiples of what the healthy job takes; see also `_grown`."""
MOST_BYTES = 512 << 20
LINE_BYTES = 1 << 20
_HUGE = (b"9" * 400, b"-1", b"0", b"9223372036854775808", b"18446744073709551616", b"1e400", b"nan", b"4294967296")
_DATES = (b"0000-00-00 00:00:00", b"9999-12-31 23:59:60", b"1900-02-29T99:99:99Z", b"2026-02-30 24:00:00.999999999")
_ESCAPES = (
    b"\x1b[31m",
    b"\x1b]0;owned\x07",
    b"\x1b[2J",
    b"\x9b5n",
    b"\xe2\x80\xae",
    b"\x1bP+q544e\x1b\\",
    b"[bold red]",
)

Bytes = Callable[[random.Random, bytes], bytes]


def _cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _flip(rng: random.Random, data: bytes) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice((1, 8, 200))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def _insert(rng: random.Random, data: bytes, what: bytes) -> bytes:
    for _ in range(rng.choice((1, 5, 40))):
        at = rng.randrange(len(data) + 1)
        data = data[:at] + what + data[at:]
    return data


def _nuls(rng: random.Random, data: bytes) -> bytes:
    return _insert(rng, data, b"\0" * rng.choice((1, 100, 5000)))


def _returns(rng: random.Random, data: bytes) -> bytes:
    return data.replace(b"\n", rng.choice((b"\r", b"\r\n", b"\n\r", b"\r\r\n")))


def _wide(rng: random.Random, data: bytes) -> bytes:
    return data.decode("utf-8", "replace").encode(rng.choice(("utf-16", "utf-16-be", "utf-32", "utf-8-sig")))


def _escapes(rng: random.Random, data: bytes) -> bytes:
    return _insert(rng, data, rng.choice(_ESCAPES))


def _numbers(rng: random.Random, data: bytes) -> bytes:
    found = list(re.finditer(rb"\d+", data))
    for m in sorted(rng.sample(found, min(len(found), rng.choice((1, 5, 60)))), key=lambda m: -m.start()):
        data = data[: m.start()] + rng.choice(_HUGE) + data[m.end() :]
    return data


def _field_numbers(rng: random.Random, data: bytes) -> bytes:
    """The same number everywhere behind one word: all ranks agree on it."""
    words = re.findall(rb"([A-Za-z_()]{4,24}[=: ]{1,2})\d+", data)
    word = rng.choice(words) if words else b"rank "
    return re.sub(re.escape(word) + rb"\d+", lambda _: word + rng.choice(_HUGE), data)


def _dates(rng: random.Random, data: bytes) -> bytes:
    date = rng.choice(_DATES)
    return re.sub(rb"20\d\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d", lambda m: m[0] if rng.random() < 0.5 else date, data)


def _shuffle(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    some = lines[at : at + 200]
    rng.shuffle(some)
    return b"\n".join([*lines[:at], *some, *lines[at + 200 :]])


def _glue(rng: random.Random, data: bytes) -> bytes:
    return re.sub(rb"\n", lambda _: b"\n" if rng.random() < 0.7 else b"", data)


def _long_line(rng: random.Random, data: bytes) -> bytes:
    """A line of a megabyte: a piece of the job again and again, or blanks."""
    at = rng.randrange(len(data) + 1)
    piece = rng.choice((data[at : at + rng.randrange(1, 80)].replace(b"\n", b" "), b" ", b"=", b"a/", b"(")) or b" "
    return data[:at] + piece * (LINE_BYTES // len(piece)) + data[at:]


def _many_lines(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    return data + b"\n".join([rng.choice(lines)[:2000]] * 2000)


def _interleave(rng: random.Random, data: bytes) -> bytes:
    """Each line cut in the middle by the one after it, as two writers of one pipe leave it."""
    lines, out = data.split(b"\n"), []
    for a, b in zip(lines[::2], lines[1::2], strict=False):
        at = rng.randrange(len(a) + 1)
        out.append(a[:at] + b + a[at:])
    return b"\n".join(out)


MUTATIONS: tuple[Bytes, ...] = (
    _cut, _flip, _nuls, _returns, _wide, _escapes, _numbers, _field_numbers, _dates, _shuffle, _glue, _long_line,
    _many_lines, _interleave,
)  # fmt: skip
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

    def run(self, cases: Sequence[int], folder: Path) -> None:
        """Try the cases of some numbers."""
        jobs = list(_jobs(folder / "jobs"))
        healthy = {job: _read(job, folder / "cache")[3] for job in jobs}
        for number in cases:
            rng = random.Random(f"{self.seed}/{number}")
            job = rng.choice(jobs)
            where = folder / "case"
            shutil.rmtree(where, ignore_errors=True)
            kind = rng.choice(tuple(KINDS))
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
    (to / f"job{suffix}").write_bytes(rng.choice((_cut, _flip, _flip))(rng, data) if rng.random() < 0.6 else data)
    return to


def _case_file(rng: random.Random, job: Path, folder: Path) -> Path:
    """A case file of the job, mutated."""
    folder.mkdir(parents=True)
    path = folder / "job.case"
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        cli.main([str(job), "--case", str(path), "--no-cache", "--jobs", "1"])
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b" and rng.random() < 0.7:
        data = gzip.compress(rng.choice((_flip, _numbers, _cut, _escapes))(rng, gzip.decompress(data)), mtime=0)
    else:
        data = rng.choice((_flip, _cut))(rng, data)
    path.write_bytes(data or b"\n")
    return path


KINDS: dict[str, Callable[[random.Random, Path, Path], Path]] = {
    "files": _mutated,
    "files again": _mutated,
    "names": _named,
    "archive": _packed,
    "case file": _case_file,
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
    args = parser.parse_args()
    engine.TOLERANT = False
    campaign, begun = Campaign(args.seed), monotonic()
    with tempfile.TemporaryDirectory() as folder:
        campaign.run(range(args.first, args.first + args.cases), Path(folder))
    kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(campaign.kinds.items()))
    print(f"{args.cases} cases ({kinds}) in {monotonic() - begun:.0f} s: {len(campaign.found)} failed")
    print(f"slowest {campaign.slowest[0]:.2f} s (case {campaign.slowest[1]}), most memory {_peak_bytes() >> 20} MiB")
    return bool(campaign.found)


if __name__ == "__main__":
    sys.exit(main())

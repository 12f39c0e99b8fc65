"""What a hostile case may be: jobs of the generator, or what lies round them, broken in every way.

Each kind writes its files below a folder, the same for the same source of chance, and says which path is opened.
"""

from __future__ import annotations

import gzip
import io
import json
import pickle
import random
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from mutations import MUTATIONS, changed_value, cut, escapes, flip, nuls, numbers, with_shared

from logtui.diagnosis.model.evidence import MarkedLine
from logtui.diagnosis.options import GivenOffset
from logtui.diagnosis.report.codec import encode
from logtui.parsers.files.discover import discover
from logtui.parsers.files.fingerprint import EDGE, take
from logtui.parsers.files.sealed import write_sealed
from logtui.parsers.files.zstd import compress, unpacking
from logtui.parsers.generator import Fault, JobSpec, generate
from logtui.parsers.generator.flight_recorder import write_dumps
from logtui.tui.panes.ranks.arrangement import Arrangement
from logtui.tui.screens.session_store import Looks, Session

NAMES = (
    "a`<img src=x onerror=alert(1)>`b rank0.log", "c`[click](http://evil)`d rank1.log", "x`|`y rank2.log",
    "new\nline.log", "\x1b[31mred\x1b]0;owned\x07.log", "\u202egol.txt.log", "[bold red]rank3[/].log", "-rf.log",
    "rank99999999999999999999.log", "log-20251120-031500.log", "```.log", "$(id).log", "a" * 200 + ".log",
)  # fmt: skip
FAULTS = tuple(fault for fault in Fault if "chain" not in fault.value)
MOST_FILE_BYTES = 8 << 20


@dataclass
class Jobs:
    """Healthy ones, of sixteen ranks on two nodes, made when they are first asked for."""

    folder: Path
    write_case: Callable[[Path, Path], object]
    """Writes the case file of a job."""
    _dumps: dict[int, list[tuple[str, Any]]] = field(default_factory=dict)

    def job(self, fault: Fault) -> Path:
        """The logs of a job with a fault."""
        where = self.folder / fault.value
        if not where.exists():
            generate(JobSpec(fault=fault, world_size=16, culprits=(5,), pytorch="2.7", seed=FAULTS.index(fault)), where)
        return where

    def case_file(self, job: Path) -> bytes:
        """Of a job, unpacked."""
        path = self.folder / f"{job.name}.case"
        if not path.exists():
            self.write_case(job, path)
        with path.open("rb") as raw:
            return unpacking(raw).read()

    def dumps(self, seed: int) -> list[tuple[str, Any]]:
        """Name and value of a dump of each rank."""
        if seed not in self._dumps:
            spec = JobSpec(fault=Fault.DATA_STALL, world_size=16, culprits=(5,), pytorch="2.7", seed=seed)
            written = write_dumps(spec, self.folder / f"dumps-{seed}", as_json=True)
            self._dumps[seed] = [(path.name, json.loads(path.read_bytes())) for path in written]
        return self._dumps[seed]


@dataclass(frozen=True)
class Place:
    """Where a case is made, and of what."""

    rng: random.Random
    jobs: Jobs
    job: Path
    folder: Path

    @property
    def config(self) -> Path:
        """Stands for `$XDG_CONFIG_HOME/logtui`."""
        return self.folder / "config/logtui"

    def session(self) -> Path:
        """Stands for where the state of the job is kept."""
        return self.folder / "session"

    def write(self, path: Path, data: bytes) -> Path:
        """A file of the case; never empty, as no scheduler opens one without a word."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data or b"\n")
        return path


def _files_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _mutated(at: Place) -> Path:
    """Some of the job's files broken, up to three times each."""
    rng = at.rng
    for path in _files_of(at.job):
        data = path.read_bytes()
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            data = rng.choice(MUTATIONS)(rng, data)[:MOST_FILE_BYTES] or b"\n"
        at.write(at.folder / "logs" / path.relative_to(at.job), data)
    return at.folder / "logs"


def _named(at: Place) -> Path:
    """The job's files, whole, by names that nobody should have given them."""
    for path, name in zip(_files_of(at.job), at.rng.sample(NAMES, len(NAMES)), strict=False):
        at.write(at.folder / "logs" / name, path.read_bytes())
    return at.folder / "logs"


def _packed(at: Place) -> Path:
    """An archive of a mutated job, itself mutated now and then."""
    rng, files, packed = at.rng, _files_of(_mutated(at)), io.BytesIO()
    suffix = rng.choice((".tar", ".tar.gz", ".zip", ".log.gz"))
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
    changed = rng.choice((cut, flip, flip))(rng, data) if rng.random() < 0.6 else data
    return at.write(at.folder / "packed" / f"job{suffix}", changed).parent


def _case_file(at: Place) -> Path:
    """A case file of the job, some of its members changed, or its bytes."""
    rng = at.rng
    change = _other_members if rng.random() < 0.8 else rng.choice((flip, numbers, cut, escapes))
    packed = compress(change(rng, at.jobs.case_file(at.job)))
    return at.write(at.folder / "job.case", rng.choice((flip, cut))(rng, packed) if rng.random() < 0.1 else packed)


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


def _dumps(at: Place) -> Path:
    """The job with a flight-recorder dump of each rank, pickled or JSON, some of them changed."""
    rng, logs = at.rng, at.folder / "logs"
    shutil.copytree(at.job, logs)
    for name, value in at.jobs.dumps(rng.randrange(4)):
        pickled = rng.random() < 0.5
        if rng.random() < 0.4:
            value = rng.choice((changed_value, with_shared) if pickled else (changed_value,))(rng, value)
        data = pickle.dumps(value, rng.choice((2, 4))) if pickled else json.dumps(value).encode()
        if rng.random() < 0.2:
            data = rng.choice((flip, cut, numbers, nuls))(rng, data)
        at.write(logs / "dumps" / (name.removesuffix(".json") if pickled else name), data)
    return logs


# -- What the user keeps

CONFIG: dict[str, Any] = {
    "theme": "logtui-light", "mouse": True, "keys": {"preset": "vim", "go.cause": "C,ctrl+x", "go.find": "ctrl+f"},
}  # fmt: skip
FORMAT: dict[str, Any] = {
    "name": "powerwatch",
    "title": "Power watch",
    "reference": "powerwatch 2.0",
    "pattern": [
        {
            "name": "powerwatch.tripped",
            "anchors": ["powerwatch: breaker "],
            "regex": r"powerwatch: breaker (?P<breaker>\d+) of (?P<host>\S+) tripped",
            "role": "cause",
            "class": "infrastructure",
            "weight": 80,
            "advice": [{"side": "infrastructure", "what": "look at {host}"}],
            "sample": [
                {"text": "powerwatch: breaker 4 of node007 tripped", "fields": {"breaker": "4", "host": "node007"}}
            ],
        }
    ],
}
SITE_LINES = (
    b"2026-03-05 15:42:03 powerwatch: breaker 4 of node007 tripped\n" * 20 + b"powerwatch: breaker " + b"7" * 4000
)
ODD_WORDS: tuple[Any, ...] = (
    "(" * 3000, "(?:a{1,500}){1,500}", r"(?P<host>(\S+)+)", "(?P<host>", "(?i:" * 300, "\x1b[31m", "{host[0]}", "{0!r:>9999999}",
    "{", "", "x" * 100_000, ["step 9", "loss 2.31"] * 40_000, True, -1, 10**400, 1e308, float("nan"), [], {}, [[]],
    [{}], "worker", "ctrl+" * 500, ",,,", "\u202e", {"a": {"b": {"c": []}}},
)  # fmt: skip


def _toml(value: Any) -> str:
    """A value as TOML has it, all on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(held)}" for key, held in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return str(value).lower() if isinstance(value, float) else json.dumps(value)


def _config_bytes(rng: random.Random, value: dict[str, Any]) -> bytes:
    """A file of the user's, wrong in what it says or in its bytes."""
    said = changed_value(rng, value, ODD_WORDS) if rng.random() < 0.8 else value
    said = said if isinstance(said, dict) else {"name": said}
    data = "".join(f"{json.dumps(key)} = {_toml(held)}\n" for key, held in said.items()).encode()
    if rng.random() < 0.1:
        data += b"deep = " + rng.choice((b"[", b"{a=")) * 20_000
    return rng.choice(MUTATIONS)(rng, data or b"\n") if rng.random() < 0.3 else data


def _configuration(at: Place) -> Path:
    """The job, and lines of a site's program, read with settings and formats that are wrong."""
    shutil.copytree(at.job, at.folder / "logs")
    at.write(at.folder / "logs/site.log", SITE_LINES)
    at.write(at.config / "config.toml", _config_bytes(at.rng, CONFIG))
    for n in range(at.rng.choice((1, 1, 3))):
        at.write(at.config / f"formats/site{n}.toml", _config_bytes(at.rng, FORMAT))
    return at.folder / "logs"


@cache
def _left_behind(job: Path) -> Any:
    """All that a session may hold, about lines that are there."""
    files = discover([job]).files
    mark = MarkedLine(files[0].name, 3, files[0].path.read_text().splitlines()[2], "odd", 5)
    session = Session(
        marks=(mark, MarkedLine(files[-1].name, 5, "x", "")), rules=("rank5", "!loss"), search="loss", file=files[0].name,
        line=3, rank=5, group="0", pane="raw", looks=Looks("progress", Arrangement(), "hidden", 5, wrapped=True),
        clock=GivenOffset(3.5), cause=mark,
        fingerprints={file.name: found for file in files if (found := take(file.path, min(file.size, EDGE)))},
    )  # fmt: skip
    return json.loads(encode(session))


def _session(at: Place) -> Path:
    """The job, in which the user has left something that nobody would."""
    rng = at.rng
    data = json.dumps(changed_value(rng, _left_behind(at.job))).encode()
    if rng.random() < 0.2:
        data = rng.choice(MUTATIONS)(rng, data)
    path = at.write(at.session(), data)
    if rng.random() < 0.8:
        write_sealed(path, lambda out: out.write(data))
    return at.job


TIMES = ("14:16", "14:17:30", "14:20", "14:45", "-10m", "-90", "-2h", "24 Feb 2pm", "2026-02-24 14:18")
"""Of the generator's jobs, as they are typed."""
NO_TIMES = (
    "-1e9", "2026-02-30 25:61", "0001-01-01 00:00", "15:42 XQT", "99999999999d", "9" * 59, "Tue", "\x1b[31m14:20",
    "\u0661\u0664:\u0662\u0660", "",
)  # fmt: skip


def _window(rng: random.Random) -> tuple[str, ...]:
    """Options of a part of the time, of which both ends may be wrong, or come in the wrong order."""
    given = [
        f"{option}={rng.choice(TIMES if rng.random() < 0.85 else NO_TIMES)}"
        for option in ("--since", "--until")
        if rng.random() < 0.7
    ]
    return tuple(given or ["--since=-10m"])


@dataclass(frozen=True)
class Kind:
    """One way to be hostile."""

    make: Callable[[Place], Path]
    share: int
    """How often it is tried, beside the others; 0 where only `--only` asks for it."""
    screen: bool = False
    """Opened on the screen too, where keys are pressed."""
    options: Callable[[random.Random], tuple[str, ...]] = lambda rng: ()
    """What is asked for on the command line, beside a report."""


KINDS: dict[str, Kind] = {
    "files": Kind(_mutated, 4),
    "names": Kind(_named, 1),
    "archive": Kind(_packed, 2),
    "case file": Kind(_case_file, 2),
    "dumps": Kind(_dumps, 2),
    "configuration": Kind(_configuration, 1, screen=True),
    "session": Kind(_session, 1, screen=True),
    "files on the screen": Kind(_mutated, 1, screen=True),
    "window": Kind(_mutated, 0, options=_window),
}

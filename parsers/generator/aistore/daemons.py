"""Write the daemon logs of an AIStore cluster, with the truth about them."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import gmtime, strftime

from logtui.parsers.generator.aistore.run import Run, Said
from logtui.parsers.generator.aistore.spec import AisFault, AisFile, AisPlace, AisSpec, AisTruth, Packing
from logtui.parsers.generator.aistore.story import Story, told

CUT = 2048
"""Bytes after which an I record loses its rest and its newline."""
_ROLES = {"t": "target", "p": "proxy"}


@dataclass
class _Open:
    """A file being filled."""

    name: str
    opening: str
    start: float
    data: bytearray = field(default_factory=bytearray)
    last: float = 0.0
    marks: list[tuple[str, int, float]] = field(default_factory=list)
    stamps: list[tuple[int, float]] = field(default_factory=list)
    """(byte, true time) of each line, for the collector's stamps."""


def write_daemons(spec: AisSpec, directory: Path) -> AisTruth:
    """Write every daemon's files below a directory, which is made if need be.

    Raises:
        OSError: if it cannot be written.
    """
    story = Story(spec)
    runs = list(told(story))
    files, places = write_runs(runs, spec, directory)
    return _truth(story, files, places, {r.node: r.host for r in runs})


def write_runs(runs: Iterable[Run], spec: AisSpec, directory: Path) -> tuple[tuple[AisFile, ...], dict[str, AisPlace]]:
    """Write processes, those of a node in order of time; returns the files and where the marked records stand.

    Raises:
        OSError: if they cannot be written.
    """
    by_node: dict[str, list[_Open]] = {}
    letters: dict[str, str] = {}
    for run in runs:
        letters[run.node] = run.letter
        by_node.setdefault(run.node, []).extend(_files(run, spec))
    files: list[AisFile] = []
    places: dict[str, AisPlace] = {}
    for node, opened in by_node.items():
        for name, file in _pack(spec, directory, letters[node], node, opened):
            files.append(AisFile(name, node, file.opening, file.start, file.last))
            for mark, line, time in file.marks:
                places.setdefault(f"{mark}.{node}", AisPlace(name, line, time))
    return tuple(files), places


def _truth(story: Story, files: tuple[AisFile, ...], places: dict[str, AisPlace], hosts: dict[str, str]) -> AisTruth:
    fault = story.spec.fault
    implicated = fault not in (AisFault.HEALTHY, AisFault.CLIENT_GONE)
    restarts = {
        r.node: r.start + story.spec.zone_s for r in story.runs if r.letter == "t" and r.start > story.spec.failure
    }
    assembler = next(r for r in story.runs if r.node == story.assembler)
    return AisTruth(
        implicated, story.culprit if implicated else "", story.assembler if implicated else "", hosts, files, restarts,
        tuple(story.clients), places, dict(assembler.counters.values),
    )  # fmt: skip


def _files(run: Run, spec: AisSpec) -> Iterator[_Open]:
    """The INFO files of a process, and the ERROR file where asked for."""
    yield from _level(run, spec, "INFO", run.said)
    if spec.error_files:
        yield from _level(run, spec, "ERROR", [s for s in run.said if s.severity != "I"])


def _level(run: Run, spec: AisSpec, level: str, said: list[Said]) -> Iterator[_Open]:
    file = _begin(run, spec, level, "Started up", run.start)
    for record in said:
        if spec.max_size and len(file.data) >= spec.max_size and file.data.endswith(b"\n"):
            yield file
            # Buffered records reach the new file after its header was written: they are older than it.
            file = _begin(run, spec, level, "Rotated", record.time + 4.0)
        _write(file, record, spec)
    yield file


def _begin(run: Run, spec: AisSpec, level: str, event: str, time: float) -> _Open:
    local = gmtime(time + spec.zone_s + spec.skew_s)
    name = f"ais{_ROLES[run.letter]}.{run.host}.{level}.{strftime('%m%d-%H%M%S', local)}.{run.pid}"
    start = float(int(time + spec.zone_s + spec.skew_s))
    file = _Open(name, event, start, last=start)
    header = f"{event} at {strftime('%Y/%m/%d %H:%M:%S', local)}, host {run.host}, go1.25.4 for linux/amd64\n"
    file.stamps.append((0, time))
    file.data += header.encode()
    if event == "Rotated":
        title = next((s.message.rstrip("\n") for s in run.said if s.message.startswith("Node ")), "")
        file.stamps.append((len(file.data), time))
        file.data += title.encode() + b"\n"
    return file


def _write(file: _Open, said: Said, spec: AisSpec) -> None:
    local = said.time + spec.zone_s + spec.skew_s
    micro = int(local % 1 * 1e6)
    source = said.source + " " if said.source else ""
    record = f"{said.severity} {strftime('%H:%M:%S', gmtime(local))}.{micro:06d} {source}{said.message}".encode()
    glued = bool(file.data) and not file.data.endswith(b"\n")
    if not glued:
        file.stamps.append((len(file.data), said.time))
    if said.mark:
        file.marks.append((said.mark, file.data.count(b"\n") + 1, said.time))
    file.data += record[:CUT] if said.severity == "I" and len(record) > CUT else record + b"\n"
    file.last = max(file.last, float(int(local)))


def _pack(spec: AisSpec, directory: Path, letter: str, node: str, files: list[_Open]) -> Iterator[tuple[str, _Open]]:
    """Write a node's files as asked; yields each under the name that logtui shows."""
    folder = f"ais{_ROLES[letter]}-{node}"
    directory.mkdir(parents=True, exist_ok=True)
    if spec.packing is Packing.DIRECTORIES:
        (directory / folder).mkdir(exist_ok=True)
        for file in files:
            (directory / folder / file.name).write_bytes(file.data)
            yield f"{folder}/{file.name}", file
    elif spec.packing is Packing.ARCHIVES:
        (directory / f"{folder}.tar.gz").write_bytes(_archive(files, spec))
        for file in files:
            yield f"{folder}.tar.gz!{file.name}", file
    elif spec.packing is Packing.SINGLE:
        (directory / folder).write_bytes(files[-1].data)
        yield folder, files[-1]
    else:
        (directory / f"{folder}.log").write_bytes(b"".join(_stamped(f) for f in files))
        for file in files:
            yield f"{folder}.log", file


def _archive(files: list[_Open], spec: AisSpec) -> bytes:
    """A flat tar.gz without anything that depends on this machine."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for file in files:
            info = tarfile.TarInfo(file.name)
            info.size, info.mtime, info.mode = len(file.data), int(file.last) - spec.zone_s, 0o640
            tar.addfile(info, io.BytesIO(bytes(file.data)))
    return gzip.compress(raw.getvalue(), mtime=0)


def _stamped(file: _Open) -> bytes:
    """Each line behind the collector's UTC stamp."""
    times = iter([*file.stamps, (len(file.data) + 1, 0.0)])
    _, time = next(times)
    after, later = next(times)
    out, position = bytearray(), 0
    for line in bytes(file.data).splitlines(keepends=True):
        while position >= after:
            time, (after, later) = later, next(times, (len(file.data) + 1, 0.0))
        stamp = strftime("%Y-%m-%dT%H:%M:%S", gmtime(time)) + f".{int(time % 1 * 1e9):09d}Z "
        out += stamp.encode() + line
        position += len(line)
    return bytes(out)


def client_log(truth: AisTruth, zone_s: int, start: float, end: float, step_s: float = 20.0) -> str:
    """A worker log with the clients' lines between plain step lines; `zone_s` is what its clock is ahead of UTC."""
    lines = [(start + n * step_s, f"INFO: step {n} done") for n in range(int((end - start) / step_s))]
    lines += [(c.time, f"{c.level}: [rank{c.rank}]: {c.text}") for c in truth.clients]
    return "".join(
        strftime("%Y-%m-%d %H:%M:%S", gmtime(t + zone_s)) + f",{int(t % 1 * 1000):03d} {text}\n"
        for t, text in sorted(lines)
    )

"""Daemons from files: nodes, ranges, restarts, gaps, duplicates, windows; written clusters and composed examples."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from logtui.parsers.daemons.daemon import AisLogs, Daemon, DaemonFile, ingest
from logtui.parsers.daemons.reread import disk_loads, records_between, stats_lines
from logtui.parsers.daemons.stats import deltas
from logtui.parsers.files.discover import discover
from logtui.parsers.generator.aistore.daemons import write_daemons
from logtui.parsers.generator.aistore.spec import AisFault, AisSpec, AisTruth, Packing
from logtui.parsers.prefix.stamp import iso
from logtui.parsers.source import Compression

CORPUS = Path(os.environ.get("LOGTUI_CORPUS", Path(__file__).resolve().parents[4] / "shared" / "corpus"))
EXAMPLES = CORPUS / "aistore-examples"
SMALL = AisSpec(targets=2, history_s=4000.0, job_s=3600.0)


def read(*paths: Path) -> AisLogs:
    return ingest(discover(paths).files)


def files_of(logs: AisLogs) -> dict[str, DaemonFile]:
    return {f.name: f for d in logs.daemons for f in d.files}


def target(logs: AisLogs, host: str) -> Daemon:
    return next(d for d in logs.daemons if d.host == host)


@pytest.mark.parametrize("packing", [Packing.DIRECTORIES, Packing.ARCHIVES, Packing.SINGLE])
@pytest.mark.parametrize("version", ["4.1", "5.0"])
@pytest.mark.parametrize("zone_s", [0, 8 * 3600, -5 * 3600 - 1800], ids=["utc", "east", "west"])
def test_written_ranges_are_found(tmp_path: Path, packing: Packing, version: str, zone_s: int) -> None:
    spec = AisSpec(version=version, packing=packing, zone="XYZ", zone_s=zone_s, max_size=60_000, targets=2)
    truth = write_daemons(spec, tmp_path)
    logs = read(tmp_path)
    found = files_of(logs)
    assert {d.id for d in logs.daemons} == set(truth.nodes)
    assert {d.id: d.host for d in logs.daemons} == dict(truth.nodes)
    for file in truth.files:
        got = found[file.name]
        assert iso(got.start) == iso(file.start), file.name
        if got.parts[-1].end_from == "last record":
            assert got.end is not None
            assert abs(got.end - file.end) <= 1, file.name
    assert not logs.unread


def test_stamped_streams_are_read_as_the_files_are(tmp_path: Path) -> None:
    plain, stream = tmp_path / "a", tmp_path / "b"
    write_daemons(replace(SMALL, max_size=60_000), plain)
    write_daemons(replace(SMALL, max_size=60_000, packing=Packing.STREAM), stream)
    first, second = read(plain), read(stream)
    assert [(m.time, m.text) for m in first.messages] == [(m.time, m.text) for m in second.messages]
    assert [d.restarts()[0].time for d in first.daemons if d.restarts()] == [
        d.restarts()[0].time for d in second.daemons if d.restarts()
    ]
    for a, b in zip(first.daemons, second.daemons, strict=True):
        lines = [stats_lines(logs, d, 0, 3e9) for logs, d in ((first, a), (second, b))]
        assert [(x.time, x.values) for x in lines[0]] == [(x.time, x.values) for x in lines[1]]


def test_packings_agree(tmp_path: Path) -> None:
    spec = {"max_size": 60_000, "fault": AisFault.PEER_RESTART}
    write_daemons(AisSpec(**spec), tmp_path / "a")  # type: ignore[arg-type]
    write_daemons(AisSpec(packing=Packing.ARCHIVES, **spec), tmp_path / "b")  # type: ignore[arg-type]
    first, second = read(tmp_path / "a"), read(tmp_path / "b")
    assert [(m.time, m.line, m.text) for m in first.messages] == [(m.time, m.line, m.text) for m in second.messages]
    both = read(tmp_path / "a", tmp_path / "b")
    assert len(both.messages) == len(first.messages)
    assert sum(f.duplicate_of != "" for d in both.daemons for f in d.files) == sum(len(d.files) for d in first.daemons)


@pytest.mark.parametrize("clean", [True, False], ids=["clean", "dirty"])
def test_a_restart_in_the_window(tmp_path: Path, clean: bool) -> None:
    truth = write_daemons(AisSpec(fault=AisFault.PEER_RESTART, clean_stop=clean, decoy_restart=False), tmp_path)
    logs = read(tmp_path)
    daemon = logs.named(truth.culprit)
    assert daemon is not None
    (restart,) = daemon.restarts()
    assert restart.time == pytest.approx(truth.restarts[truth.culprit], abs=1)
    assert restart.clean is clean
    assert [g.why for g in daemon.gaps()] == ["down"]
    assert all(not d.restarts() for d in logs.daemons if d is not daemon)


def test_error_files_repeat_nothing(tmp_path: Path) -> None:
    write_daemons(AisSpec(error_files=True), tmp_path / "a")
    write_daemons(AisSpec(), tmp_path / "b")
    both, info = read(tmp_path / "a"), read(tmp_path / "b")
    assert [(m.time, m.text) for m in both.messages] == [(m.time, m.text) for m in info.messages]
    assert both.counts == info.counts
    assert {f.level for d in both.daemons for f in d.files} == {"INFO", "ERROR"}


def test_error_files_alone_are_enough_for_messages(tmp_path: Path) -> None:
    write_daemons(AisSpec(error_files=True), tmp_path)
    for path in tmp_path.rglob("*.INFO.*"):
        path.unlink()
    logs = read(tmp_path)
    assert logs.messages
    assert all(m.letter in "WE" for m in logs.messages)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_missing_files_are_gaps(tmp_path: Path, count: int) -> None:
    """Rotated away at the front, not collected in the middle."""
    truth = write_daemons(AisSpec(max_size=30_000, targets=2, history_s=20_000, job_s=19_000), tmp_path)
    node = next(n for n, host in truth.nodes.items() if host == "ais-target-1")
    names = [f.name for f in truth.files if f.node == node]
    assert len(names) > 6
    for name in names[:count]:
        (tmp_path / name).unlink()
    (gap,) = target(read(tmp_path), "ais-target-1").gaps()
    assert (gap.start, gap.why) == (None, "rotated away")


def test_a_file_missing_in_the_middle(tmp_path: Path) -> None:
    truth = write_daemons(AisSpec(max_size=400_000, targets=2, history_s=60_000, job_s=59_000), tmp_path)
    names = [f.name for f in truth.files if truth.nodes[f.node] == "ais-target-1"]
    (tmp_path / names[2]).unlink()
    gaps = target(read(tmp_path), "ais-target-1").gaps()
    assert [g.why for g in gaps] == ["not collected"]


def test_shortened_hosts_do_not_merge_nodes(tmp_path: Path) -> None:
    header = "Started up at 2026/05/06 10:00:0{n}, host aistore1-target, go1.25.4 for linux/amd64\n"
    title = "I 10:00:0{n}.100000 daemon:262 Node t[{id}], Version 4.1.0aa, build x, CPUs(4, runtime=8)\n\n"
    for n, node in enumerate(("AbCdEfGh", "IjKlMnOp")):
        folder = tmp_path / f"node{n}"
        folder.mkdir()
        name = f"aistarget.aistore1-target.INFO.0506-10000{n}.1"
        (folder / name).write_text(header.format(n=n) + title.format(n=n, id=node))
    assert sorted(d.label for d in read(tmp_path).daemons) == ["t[AbCdEfGh]", "t[IjKlMnOp]"]


def test_a_headless_file_takes_its_siblings_node(tmp_path: Path) -> None:
    truth = write_daemons(replace(SMALL, max_size=60_000), tmp_path)
    name = next(f.name for f in truth.files if f.opening == "Rotated")
    path = tmp_path / name
    expected = files_of(read(tmp_path))[name]
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[2:]))
    logs = read(tmp_path)
    assert {d.id for d in logs.daemons} == set(truth.nodes)
    file = files_of(logs)[name]
    assert file.parts[0].start_from in ("marker", "name")
    assert file.start is not None
    assert expected.start is not None
    assert abs(file.start - expected.start) < 60


def test_windows_are_reread_exactly(tmp_path: Path) -> None:
    """Whatever the window, what is read again is what one walk over the whole gives."""
    truth = write_daemons(AisSpec(max_size=60_000, packing=Packing.ARCHIVES), tmp_path)
    logs = read(tmp_path)
    daemon = logs.named(truth.culprit)
    assert daemon is not None
    whole = list(records_between(logs, daemon, 0, 3e9))
    assert len(whole) == sum(f.scan.records for f in daemon.main)
    times = [r.time for r in whole]
    assert times == sorted(times)
    middle = (times[0] + times[-1]) / 2
    for start, end in ((middle - 30, middle + 30), (times[0] - 10, times[0] + 1), (times[-1], times[-1] + 5)):
        assert list(records_between(logs, daemon, start, end)) == [r for r in whole if start <= r.time <= end]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("2026-05-06T00:00:00", "2026-05-10T00:00:00", "abcde"),
        ("2026-05-06T23:31:00", "2026-05-06T23:41:00", "ab"),
        ("2026-05-08T23:40:00", "2026-05-08T23:50:01", "c"),
        ("2026-05-08T23:59:59", "2026-05-09T12:00:00", "e"),
        ("2026-05-07T00:00:00", "2026-05-08T00:00:00", ""),
    ],
    ids=["all", "before the missed days", "after them", "after midnight", "the missed days"],
)
def test_windows_about_missed_days_are_reread_exactly(tmp_path: Path, start: str, end: str, expected: str) -> None:
    (tmp_path / "aistarget.ais-target-7.INFO.0506-233000.1").write_text(
        "Started up at 2026/05/06 23:30:00, host ais-target-7, go1.25.4 for linux/amd64\n"
        "I 23:31:00.000001 x:1 a\nI 23:40:00.000001 x:1 b\nI 23:50:00.000001 x:1 c\n"
        "I 23:55:00.000001 common:501 08 May 26 23:55 UTC =============\n"
        "I 23:58:00.000001 x:1 d\nI 00:00:01.000001 x:1 e\n"
    )
    logs = read(tmp_path)
    (daemon,) = logs.daemons
    first, last = (datetime.fromisoformat(f"{t}+00:00").timestamp() for t in (start, end))
    assert "".join(r.text[-1] for r in records_between(logs, daemon, first, last, b" x:1 ")) == expected


def test_disks_of_the_culprit_saturate(tmp_path: Path) -> None:
    spec = AisSpec(version="5.0")
    truth = write_daemons(spec, tmp_path)
    logs = read(tmp_path)
    daemon = logs.named(truth.culprit)
    assert daemon is not None
    hot = [d for d in disk_loads(logs, daemon, 0, 3e9) if d.busy >= 95]
    assert {d.disk for d in hot} == {f"nvme{n}n1" for n in range(spec.disks)}
    first = truth.places[f"saturated.{truth.culprit}"]
    assert (hot[0].line, logs.files[hot[0].file].name) == (first.line, first.file)
    assert hot[0].time == pytest.approx(first.time, abs=1e-3)


@pytest.mark.parametrize("version", ["4.1", "5.0"])
def test_counters_end_where_the_daemon_left_them(tmp_path: Path, version: str) -> None:
    truth: AisTruth = write_daemons(AisSpec(version=version, decoy_restart=False), tmp_path)
    logs = read(tmp_path)
    daemon = logs.named(truth.assembler)
    assert daemon is not None
    lines = stats_lines(logs, daemon, 0, 3e9)
    last = lines[-1]
    for name in ("err.getbatch.n", "err.soft.getbatch.n"):
        assert last.value(name) == truth.counters[name]
    assert deltas(lines)["getbatch.n"].delta <= truth.counters["getbatch.n"]
    assert any(line.cut for line in lines) == (version == "4.1")


def test_equal_specs_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_daemons(AisSpec(packing=Packing.ARCHIVES), tmp_path / name)
    first, second = ({p.name: p.read_bytes() for p in (tmp_path / n).iterdir()} for n in "ab")
    assert first == second


@pytest.mark.parametrize("spec", [{"version": "3.0"}, {"targets": 1}, {"ranks": 1}])
def test_impossible_specs_are_refused(spec: dict[str, int | str]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        AisSpec(**spec)  # type: ignore[arg-type]


def test_processes_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_daemons(AisSpec(packing=Packing.ARCHIVES, max_size=60_000), tmp_path)
    files = discover([tmp_path]).files
    alone = ingest(files, jobs=1)
    monkeypatch.setattr("logtui.parsers.daemons.scan.LEAST_BYTES", 0)
    shared = ingest(files, jobs=2)
    assert [(m.time, m.record) for m in shared.messages] == [(m.time, m.record) for m in alone.messages]
    assert shared.counts == alone.counts


def test_a_file_that_vanished_is_reported(tmp_path: Path) -> None:
    write_daemons(SMALL, tmp_path)
    files = discover([tmp_path]).files
    files[0].path.unlink()
    logs = ingest(files)
    assert [u.file for u in logs.unread] == [files[0].name]
    assert len(logs.daemons) == 2


examples = pytest.mark.skipif(not EXAMPLES.is_dir(), reason="no corpus at hand")
RANGES = {
    "aistarget.ais-target-0.INFO.0311-224102.1": ("2026-03-11T22:41:02", "2026-03-12T00:33:12"),
    "aistarget.ais-target-0.INFO.0312-003355.1": ("2026-03-12T00:33:55", "2026-03-12T00:34:06"),
    "aistarget.ais-target-1.INFO.0311-224107.1": ("2026-03-11T22:41:07", "2026-03-12T00:41:18"),
    "aisproxy.ais-proxy-0.INFO.0311-224058.1": ("2026-03-11T22:40:58", "2026-03-12T00:41:04"),
}


@examples
@pytest.mark.parametrize("packed", [False, True], ids=["directories", "archives"])
def test_examples_ranges_and_restart(packed: bool) -> None:
    paths = [EXAMPLES / "as-downloaded"] if packed else sorted(p for p in EXAMPLES.glob("ais*") if p.is_dir())
    logs = read(*paths)
    found = {f.name.replace("!", "/").rsplit("/", 1)[-1]: f for d in logs.daemons for f in d.files}
    assert {n: (iso(f.start), iso(f.end)) for n, f in found.items()} == RANGES
    assert all((logs.files[f.file].compression is Compression.TAR) == packed for f in found.values())
    daemon = logs.named("QvTbWmKe")
    assert daemon is not None
    (restart,) = daemon.restarts()
    assert (iso(restart.time), iso(restart.stopped), restart.clean) == (
        "2026-03-12T00:33:55",
        "2026-03-12T00:33:12",
        True,
    )
    assert sum(s.cut for d in logs.daemons for f in d.main for s in f.scan.stats) == 3


def test_the_link_to_the_newest_file_is_not_a_second_one(tmp_path: Path) -> None:
    truth = write_daemons(SMALL, tmp_path)
    names = sorted(f.name for f in truth.files)
    (tmp_path / names[0]).with_name("aisproxy.INFO").symlink_to((tmp_path / names[0]).name)
    assert sorted(f.name for d in read(tmp_path).daemons for f in d.files) == names


def test_files_that_name_nothing_stay_apart(tmp_path: Path) -> None:
    for n in range(2):
        (tmp_path / f"part{n}.log").write_text(f"I 21:00:4{n}.784074 nvme3n1: 54MiB/s, 119KiB, 0B/s, 0B, 26%\n")
    logs = read(tmp_path)
    assert [d.label for d in logs.daemons] == ["t[?]", "t[?]"]

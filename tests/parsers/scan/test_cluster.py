"""A real Dask scheduler with real workers gives the case that this process does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest
from scanning import shown

from logtui.parsers.errors import ClusterUnavailable
from logtui.parsers.files.discover import discover
from logtui.parsers.scan import cluster, plan
from logtui.parsers.scan.cluster import dask_workers
from logtui.parsers.scan.sweep import Sweep

WARNINGS = pytest.mark.filterwarnings("ignore")
"""Those of the cluster's libraries are not ours."""
CORPUS = Path(os.environ.get("LOGTUI_CORPUS", Path(__file__).resolve().parents[4] / "shared" / "corpus"))


@pytest.fixture(scope="module")
def distributed() -> ModuleType:
    found: ModuleType = pytest.importorskip("distributed")
    return found


def start(*arguments: str, cwd: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", *arguments], cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def scheduler(file: Path) -> subprocess.Popen[bytes]:
    return start("distributed.cli.dask_scheduler", "--scheduler-file", str(file), "--port", "0", "--no-dashboard",
                 "--host", "127.0.0.1", cwd=file.parent)  # fmt: skip


def worker(file: Path, name: str) -> subprocess.Popen[bytes]:
    return start("distributed.cli.dask_worker", "--scheduler-file", str(file), "--nthreads", "2", "--no-dashboard",
                 "--name", name, "--no-nanny", cwd=file.parent)  # fmt: skip


@contextmanager
def running(
    distributed: ModuleType, folder: Path, workers: int
) -> Iterator[tuple[Path, list[subprocess.Popen[bytes]]]]:
    """A scheduler's file, and the processes: the scheduler first, then workers of two threads each."""
    file = folder / "scheduler.json"
    processes = [scheduler(file)]
    try:
        deadline = time.monotonic() + 60
        while not file.exists():
            assert time.monotonic() < deadline and processes[0].poll() is None
            time.sleep(0.05)
        processes += [worker(file, f"w{i}") for i in range(workers)]
        with distributed.Client(scheduler_file=str(file), set_as_default=False) as client:
            if workers:
                client.wait_for_workers(workers, timeout=60)
        yield file, processes
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait(30)


@pytest.fixture(scope="module")
def address(distributed: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(distributed, tmp_path_factory.mktemp("dask"), 2) as (file, _):
        yield json.loads(file.read_text())["address"]


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(plan, "HEAD_BYTES", 1 << 14)
    monkeypatch.setattr(plan, "LEAST_CHUNK_BYTES", 1 << 16)
    for rank in range(4):
        error = b"[rank%d]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n" % rank
        (tmp_path / f"rank{rank}.log").write_bytes(error + b"nothing to see here\n" * 200_000 + error)
    return tmp_path


def run(paths: list[Path], executor: Executor | None) -> Sweep:
    sweep = Sweep(discover(paths), jobs=1, executor=executor)
    for _ in sweep.run():
        pass
    return sweep


def assert_same(here: Sweep, there: Sweep) -> None:
    assert there.failures == []
    assert shown(here.case().records) == shown(there.case().records)
    assert sorted(map(str, here.case().records.counts)) == sorted(map(str, there.case().records.counts))
    assert here.case().unread == there.case().unread


@WARNINGS
def test_workers_of_a_cluster_give_the_same_records(address: str, job: Path) -> None:
    with dask_workers(address) as found:
        assert_same(run([job], None), run([job], found.executor))


@WARNINGS
def test_relative_paths_are_those_of_the_caller(address: str, job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(job.parent)
    with dask_workers(address) as found:
        assert_same(run([job], None), run([Path(job.name)], found.executor))


@WARNINGS
@pytest.mark.skipif(not (CORPUS / "incidents").is_dir(), reason="no corpus here")
def test_the_corpus_gives_the_same_records(address: str) -> None:
    cases = sorted(p for p in (CORPUS / "incidents").iterdir() if p.is_dir())
    with dask_workers(address) as found:
        assert_same(run(cases, None), run(cases, found.executor))


@WARNINGS
def test_workers_of_another_version_are_done_without(address: str, job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from logtui.parsers.scan import sweep, task

    for here in (sweep, task):
        monkeypatch.setattr(here, "code", lambda _: "0" * 32)
    with dask_workers(address) as found:
        there = run([job], found.executor)
    assert there.failures and "another version" in there.failures[0]
    assert len(there.case().records) == 8


@WARNINGS
def test_a_scheduler_file_will_do_and_cores_are_counted(distributed: ModuleType, tmp_path: Path) -> None:
    with running(distributed, tmp_path, 2) as (file, _), dask_workers(str(file)) as found:
        assert found.cores == 4


@WARNINGS
def test_a_cluster_without_workers_is_refused(
    distributed: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_S", 2.0)
    with (
        running(distributed, tmp_path, 0) as (file, _),
        pytest.raises(ClusterUnavailable, match="has no workers"),
        dask_workers(str(file)),
    ):
        pass


@WARNINGS
@pytest.mark.parametrize("gone", ["workers", "scheduler", "both"])
def test_what_a_cluster_leaves_undone_is_done_here(
    gone: str,
    distributed: ModuleType,
    job: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_S", 5.0)
    monkeypatch.setattr(cluster, "LONGEST_WITHOUT_WORKERS_S", 0.5)
    folder = tmp_path_factory.mktemp("lost")
    with running(distributed, folder, 1) as (file, processes), dask_workers(str(file)) as found:
        for process in {"workers": processes[1:], "scheduler": processes[:1], "both": processes}[gone]:
            process.kill()
            process.wait(30)
        there = run([job], found.executor)
    assert there.failures
    assert shown(there.case().records) == shown(run([job], None).case().records)
    assert not there.case().unread


@WARNINGS
def test_nobody_at_the_address(distributed: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_S", 0.3)
    for address in ("tcp://127.0.0.1:9", "nowhere", "node007:no-port"):
        with pytest.raises(ClusterUnavailable, match="no Dask scheduler answers"), dask_workers(address):
            pass


def test_without_the_package_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterUnavailable, match=r"logtui\[dask\]"), dask_workers("tcp://127.0.0.1:9"):
        pass

"""The same case from one process, many, or a broken one; something to show early; nothing left behind."""

from __future__ import annotations

import gzip
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from threading import Thread

import pytest
from scanning import shown

from logtui.parsers.files.case import Case
from logtui.parsers.files.discover import discover
from logtui.parsers.files.lines import UNCOUNTED
from logtui.parsers.scan import dispatcher, memory, plan, sweep, task, workers
from logtui.parsers.scan.plan import Progress, Stage
from logtui.parsers.scan.sweep import Sweep
from logtui.parsers.scan.workers import ScanPool

WATCHDOG = (
    b"[rank%d]:[E1121 04:12:09.112358132 ProcessGroupNCCL.cpp:683] [Rank %d] Watchdog caught collective operation "
    b"timeout: WorkNCCL(SeqNum=1234, OpType=ALLREDUCE, NumelIn=4096, NumelOut=4096, Timeout(ms)=600000) ran for "
    b"600031 milliseconds before timing out.\n"
)
NO_MEMORY = b"[rank%d]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate %d MiB.\n"
BORING = b"[rank%d]: 2025-11-21 04:00:%02d loading shard-%05d.tar, queue depth 7\n"


def worker_log(rank: int, lines: int) -> bytes:
    """Lines that mean nothing, and a watchdog at the start and at the end."""
    return (
        WATCHDOG % (rank, rank) + b"".join(BORING % (rank, n % 60, n) for n in range(lines)) + WATCHDOG % (rank, rank)
    )


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight logs: some small, some with a middle, one packed."""
    top = tmp_path_factory.mktemp("job")
    for rank in range(7):
        (top / f"rank{rank}.log").write_bytes(worker_log(rank, 10 if rank % 2 else 20_000))
    (top / "rank7.log.gz").write_bytes(gzip.compress(worker_log(7, 5000)))
    return top


@pytest.fixture
def many_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small ranges and no least size, so that a small job is divided like a large one."""
    for name, value in {"HEAD_BYTES": 1 << 14, "UNDIVIDED_BYTES": 1 << 16, "LEAST_CHUNK_BYTES": 1 << 16}.items():
        monkeypatch.setattr(plan, name, value)
    monkeypatch.setattr(dispatcher, "LEAST_BYTES", 0)


def swept(path: Path, jobs: int | None = 1, executor: Executor | None = None) -> tuple[Case, Sweep, list[Progress]]:
    run = Sweep(discover([path]), jobs=jobs, executor=executor)
    seen = list(run.run())
    return run.case(), run, seen


def assert_same(first: Case, second: Case) -> None:
    assert shown(first.records) == shown(second.records)
    assert sorted(map(str, first.records.counts)) == sorted(map(str, second.records.counts))
    assert first.unread == second.unread
    for file, index in first.indexes.items():
        other = second.indexes[file]
        assert (index.end, index.lines, index.matched) == (other.end, other.lines, other.matched)
        assert index.complete and other.complete


@pytest.mark.usefixtures("many_ranges")
def test_processes_give_the_case_of_one(job: Path) -> None:
    here, _, _ = swept(job)
    there, run, seen = swept(job, jobs=2)
    assert_same(here, there)
    assert run.failures == []
    assert (seen[-1].files_done, seen[-1].share) == (8, 1.0)
    assert here.share_read == there.share_read == 1.0


@pytest.mark.usefixtures("many_ranges")
def test_any_executor_will_do(job: Path) -> None:
    with ThreadPoolExecutor(3) as threads:
        assert_same(swept(job)[0], swept(job, executor=threads)[0])


@pytest.mark.usefixtures("many_ranges")
def test_processes_can_start_beside_other_threads(job: Path) -> None:
    found: list[Case] = []
    thread = Thread(target=lambda: found.append(swept(job, jobs=2)[0]))
    thread.start()
    thread.join(60)
    assert_same(swept(job)[0], found[0])


@pytest.mark.usefixtures("many_ranges")
def test_a_worker_that_dies_costs_nothing_but_time(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parent, scan = os.getpid(), task._scan

    def die(mine: object, piece: plan.Piece, cancelled: object) -> object:
        if os.getpid() != parent and piece.file.name == "rank4.log":
            os.kill(os.getpid(), signal.SIGKILL)
        return scan(mine, piece, cancelled)  # type: ignore[arg-type]

    monkeypatch.setattr(task, "_scan", die)
    monkeypatch.setattr(workers, "start_method", lambda: "fork")
    case, run, _ = swept(job, jobs=2)
    assert run.failures
    assert "numpy" in run.engines
    monkeypatch.undo()
    assert_same(case, swept(job)[0])


@pytest.mark.usefixtures("many_ranges")
def test_a_bug_in_one_file_is_reported_and_the_rest_is_read(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scan = task._scan

    def fail(mine: object, piece: plan.Piece, cancelled: object) -> object:
        if piece.file.name == "rank4.log":
            raise ZeroDivisionError("odd")
        return scan(mine, piece, cancelled)  # type: ignore[arg-type]

    monkeypatch.setattr(task, "_scan", fail)
    case, _, _ = swept(job)
    assert {u.file for u in case.unread} == {"rank4.log"}
    assert "ZeroDivisionError" in case.unread[0].why
    assert {r.file for r in case.records} == {f.index for f in case.files if f.name != "rank4.log"}


@pytest.mark.usefixtures("many_ranges")
def test_after_the_tails_there_is_a_case_to_show(job: Path) -> None:
    run = Sweep(discover([job]), jobs=1)
    for progress in run.run():
        if progress.stage > Stage.TAILS:
            break
    early = run.case()
    big = next(f.index for f in early.files if f.name == "rank2.log")
    (record,) = [r for r in early.records.of("pg.timeout") if r.file == big]
    assert 0.0 < early.share_read < 0.9
    assert not early.indexes[big].complete
    assert record.line > UNCOUNTED
    assert early.lines(big, record.line, 1) == [record.first_line]
    assert early.lines(big, record.line - 1, 1)[0].endswith("shard-19999.tar, queue depth 7")
    assert early.counted(big, record.line) == 20_002
    assert early.preceding(record, 2)[1] == early.lines(big, 20_001, 1)[0]
    early.close()


@pytest.mark.usefixtures("many_ranges")
def test_every_case_on_the_way_is_a_part_of_the_last(job: Path) -> None:
    run, cases = Sweep(discover([job]), jobs=1), []
    for _ in run.run():
        cases.append(run.case())
    final = {(r.file, r.offset, r.name): r for r in cases[-1].records}
    for case in cases:
        for r in case.records:
            assert r.text == final[r.file, r.offset, r.name].text
            assert r.line > UNCOUNTED or r.line == final[r.file, r.offset, r.name].line
    assert [c.share_read for c in cases] == sorted(c.share_read for c in cases)


def processes_below(pid: int) -> set[int]:
    """Processes whose ancestor is `pid`, as /proc lists them."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stat = (entry / "stat").read_text().rpartition(") ")[2].split()
            except OSError:
                continue
            if stat[0] != "Z":
                parents[int(entry.name)] = int(stat[1])
    found, more = set(), {pid}
    while more:
        more = {p for p, parent in parents.items() if parent in more}
        found |= more
    return found


NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


@NEEDS_PROC
@pytest.mark.usefixtures("many_ranges")
@pytest.mark.parametrize("how", ["cancelled", "closed", "interrupted"])
def test_stopping_early_leaves_no_process(job: Path, how: str) -> None:
    before = processes_below(os.getpid())
    seen: list[Progress] = []
    run = Sweep(discover([job]), jobs=2).run(lambda: how == "cancelled" and bool(seen))
    seen.append(next(run))
    if how == "closed":
        run.close()  # type: ignore[attr-defined]  # a generator
    elif how == "interrupted":
        with pytest.raises(KeyboardInterrupt):
            run.throw(KeyboardInterrupt())  # type: ignore[attr-defined]
    else:
        assert list(run) == []
    assert before >= {p for p in processes_below(os.getpid()) if "forkserver" not in command(p)}


def command(pid: int) -> str:
    """A process's command line; helpers of multiprocessing stay for the next pool."""
    try:
        text = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return "forkserver"
    return "forkserver" if "multiprocessing" in text else text


# Behind `nohup … &` a child is born deaf to SIGINT.
SCRIPT = """
import signal, sys, time
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)
from logtui.parsers.scan import dispatcher, sweep, task
from logtui.parsers.files.discover import discover
dispatcher.LEAST_BYTES = 0
task._scan = lambda *_: time.sleep(600)
print("ready", flush=True)
for _ in sweep.Sweep(discover([Path(sys.argv[1])]), jobs=2).run():
    pass
"""


@NEEDS_PROC
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda s: s.name)
def test_workers_do_not_outlive_their_parent(job: Path, number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(job)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as parent:
        try:
            assert parent.stdout and parent.stdout.readline() == b"ready\n"
            workers = eventually(lambda: processes_below(parent.pid), lambda found: len(found) >= 2)
            parent.send_signal(number)
            parent.wait(20)
        finally:
            parent.kill()
    eventually(
        lambda: {p for p in workers if Path(f"/proc/{p}").exists() and "python" in command(p)}, lambda left: not left
    )


HALF_STARTED = """
import concurrent.futures.process as pools
def at_the_worst_moment(executor, make=pools._ExecutorManagerThread):
    signal.raise_signal(signal.SIGINT)
    return make(executor)
pools._ExecutorManagerThread = at_the_worst_moment
"""


@NEEDS_PROC
def test_told_to_end_while_the_workers_start_it_ends(job: Path) -> None:
    script = SCRIPT.replace("print(", HALF_STARTED + "print(")
    done = subprocess.run([sys.executable, "-c", script, str(job)], capture_output=True, timeout=60)
    assert b"KeyboardInterrupt" in done.stderr


def eventually(ask: Callable[[], set[int]], enough: Callable[[set[int]], bool]) -> set[int]:
    """What is found once it is enough; processes come and go in their own time."""
    for _ in range(400):
        if enough(found := ask()):
            return found
        time.sleep(0.05)
    raise AssertionError(f"still {ask()}")


@pytest.fixture
def few_descriptors() -> Iterator[None]:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.usefixtures("few_descriptors")
def test_more_files_than_descriptors(tmp_path: Path) -> None:
    for n in range(600):
        (tmp_path / f"rank{n}.log").write_bytes(worker_log(n, 3))
    case, _, _ = swept(tmp_path, jobs=2)
    assert case.unread == ()
    assert {r.rank for r in case.records} == set(range(600))
    assert all(case.lines(f, 1, 1) for f in range(600))
    case.close()


def test_the_last_case_is_kept(job: Path) -> None:
    _, run, _ = swept(job)
    assert run.case() is run.case()


def test_a_file_that_vanishes_is_reported(tmp_path: Path) -> None:
    for name in ("a.log", "b.log"):
        (tmp_path / name).write_bytes(worker_log(1, 3))
    found = discover([tmp_path])
    (tmp_path / "a.log").unlink()
    run = Sweep(found, jobs=1)
    assert [p.files_done for p in run.run()][-1] == 2
    assert [(u.file, u.why) for u in run.case().unread] == [("a.log", "No such file or directory")]


def test_a_pool_in_use_before_is_not_closed(job: Path) -> None:
    mine = ScanPool(2)
    try:
        swept(job, executor=mine.executor)
        assert mine.executor.submit(os.getpid).result(20) != os.getpid()
    finally:
        mine.stop()


LEAST_PRIORITY = 19
"""The system knows no lower one, and these tests may run at a low one themselves."""


def test_a_pool_behind_a_screen_yields_to_it() -> None:
    mine = ScanPool(1, behind=True)
    try:
        assert mine.executor.submit(os.nice, 0).result(20) == min(os.nice(0) + workers.BEHIND, LEAST_PRIORITY)
    finally:
        mine.stop()


def test_a_polite_pool_yields_to_others() -> None:
    mine = ScanPool(1, polite=True)
    try:
        assert mine.executor.submit(os.nice, 0).result(20) == min(os.nice(0) + workers.NICENESS, LEAST_PRIORITY)
    finally:
        mine.stop()


def test_an_executor_that_is_gone_is_done_without(job: Path) -> None:
    gone = ThreadPoolExecutor(1)
    gone.shutdown()
    case, run, _ = swept(job, executor=gone)
    assert run.failures
    assert_same(case, swept(job)[0])


def test_parts_that_are_used_up_give_the_same_case(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "WORTH_BYTES", 0)
    run = Sweep(discover([job]), jobs=1)
    list(run.run())
    whole, used_up = run._partial.case(), run._partial.case(release=True)
    assert shown(whole.records) == shown(used_up.records)
    assert run.size == 0


@pytest.mark.usefixtures("many_ranges")
@pytest.mark.parametrize("narrow", [False, True])
def test_a_storm_is_folded_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, narrow: bool) -> None:
    (tmp_path / "rank0.log").write_bytes(
        b"".join(BORING % (n % 2, n % 60, n) + NO_MEMORY % (n % 2, n) for n in range(8000))
    )
    usual, held = _read(tmp_path)
    monkeypatch.setattr(sweep, "FOLDED_FROM", 1000)
    if narrow:
        monkeypatch.setattr("logtui.parsers.records.columns.MANY", 10)
    folded, held_now = _read(tmp_path)
    assert_same(usual, folded)
    assert held > 4000 > 2500 > held_now


def _read(path: Path) -> tuple[Case, int]:
    """A case, and how many rows were held before it was put together."""
    run = Sweep(discover([path]), jobs=1)
    list(run.run())
    held = sum(len(p.rows) for parts in run._partial._parts.values() for p in parts)
    return run.case(), held


def test_an_index_that_would_be_too_large_costs_no_memory(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "LEAST_INDEXED_BYTES", 0)
    monkeypatch.setattr(sweep, "CASE_CAP_BYTES", 10)
    run = Sweep(discover([job]), jobs=1, keep=True)
    list(run.run())
    assert len(run.case().records) and run.size == 0
    assert not run.save()

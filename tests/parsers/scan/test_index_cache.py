"""An index on disk spares a second scan, and never gives other records than the logs do."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from resealed import reseal, with_header
from scanning import shown

from logtui.parsers.files.case import Case
from logtui.parsers.files.discover import discover
from logtui.parsers.files.fingerprint import Change, compare, take
from logtui.parsers.scan import cache_files, index_store, plan, program, sweep
from logtui.parsers.scan.cache_files import clear, kept_directory
from logtui.parsers.scan.index_store import IndexStore
from logtui.parsers.scan.sweep import Sweep

ERROR = (
    b"[rank%d]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate %d.00 GiB. GPU 3 has a total capacity of 79.10 GiB"
    b" of which 512.00 MiB is free.\n"
)
RESET = b"2025-11-21 04:12:09 node007 urllib3: Connection reset by peer\n"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sweep, "LEAST_INDEXED_BYTES", 0)
    yield


@pytest.fixture
def job(tmp_path: Path) -> Path:
    top = tmp_path / "job"
    top.mkdir()
    for rank in range(3):
        (top / f"rank{rank}.log").write_bytes(b"boring\n" * 50_000 + RESET * 100 + ERROR % (rank, 1))
    return top


def opened(path: Path, keep: bool = True) -> tuple[Case, Sweep]:
    run = Sweep(discover([path]), jobs=1, keep=keep)
    seen = list(run.run())
    assert (seen[-1].share, seen[-1].files_done) == (1.0, seen[-1].files)
    case = run.case()
    run.save()
    return case, run


def assert_as_scanned(path: Path, case: Case) -> None:
    fresh, _ = opened(path, keep=False)
    assert shown(case.records) == shown(fresh.records)
    assert sorted(map(str, case.records.counts)) == sorted(map(str, fresh.records.counts))
    for file, index in fresh.indexes.items():
        mine = case.indexes[file]
        assert (mine.end, mine.lines, mine.matched, mine.complete) == (index.end, index.lines, index.matched, True)
        assert case.lines(file, 49_999, 3) == fresh.lines(file, 49_999, 3)
        assert case.line_count(file) == fresh.line_count(file)
    case.close()
    fresh.close()


def the_index() -> Path:
    (path,) = kept_directory().glob("*.index")
    return path


def test_a_second_look_scans_nothing(job: Path) -> None:
    first, _ = opened(job)
    second, run = opened(job)
    assert run.engines == set()
    assert shown(first.records) == shown(second.records)
    assert_as_scanned(job, second)


@pytest.mark.parametrize("grown", [b"", b"half a line", ERROR % (1, 2)], ids=["unchanged", "half a line", "an error"])
def test_millions_of_records_are_kept_without_standing_side_by_side(
    job: Path, monkeypatch: pytest.MonkeyPatch, grown: bytes
) -> None:
    for name in (
        "parsers.records.columns.MANY",
        "parsers.scan.sweep.MANY",
        "parsers.scan.sweep.FOLDED_FROM",
        "parsers.scan.index_store.AT_ONCE",
    ):
        monkeypatch.setattr(f"logtui.{name}", 3)
    monkeypatch.setattr(plan, "UNDIVIDED_BYTES", 1 << 16)
    first, _ = opened(job)
    with (job / "rank1.log").open("ab") as out:
        out.write(grown)
    opened(job)
    second, run = opened(job)
    assert run.engines == set() and len(first.records) > 20
    assert shown(first.records) == shown(second.records) or b"Error" in grown
    assert_as_scanned(job, second)


def test_without_keeping_nothing_is_written(job: Path) -> None:
    opened(job, keep=False)
    assert not kept_directory().exists()


@pytest.mark.parametrize(
    "first_end", [b"", b"half a li", b"[rank1]: torch.OutOfMemoryErr"], ids=["whole", "half", "half a match"]
)
@pytest.mark.parametrize("more", [b"\n", b"ne\n" + ERROR % (1, 2), b"or: x", (ERROR % (1, 3)) * 400], ids=range(4))
def test_a_log_that_grew_is_read_on_from_its_end(job: Path, first_end: bytes, more: bytes) -> None:
    path = job / "rank1.log"
    with path.open("ab") as out:
        out.write(first_end)
    opened(job)
    with path.open("ab") as out:
        out.write(more)
    run = Sweep(discover([job]), jobs=1, keep=True)
    tasks = [p for t in run._tasks(1) for p in t.pieces]
    assert [(p.file.name, p.start) for p in tasks] == [("rank1.log", path.stat().st_size - len(first_end) - len(more))]
    case, _ = opened(job)
    assert_as_scanned(job, case)
    again, run = opened(job)
    assert run.engines == set()
    assert_as_scanned(job, again)


def rewrite(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"boring", b"BORING"))


def rotate(path: Path) -> None:
    path.rename(path.with_suffix(".log.1"))
    path.write_bytes(b"new\n" * 200_000 + ERROR % (7, 1))


def replaced_by_same_size(path: Path) -> None:
    text = path.read_bytes()
    path.unlink()
    path.write_bytes(text.replace(b"1.00 GiB", b"9.00 GiB"))


def changed_in_place(path: Path) -> None:
    info = path.stat()
    with path.open("r+b") as out:
        out.seek(-40, os.SEEK_END)
        out.write(b"X")
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))


@pytest.mark.parametrize(
    "change",
    [rewrite, rotate, replaced_by_same_size, changed_in_place, lambda p: p.write_bytes(p.read_bytes()[:-100]), Path.unlink,
     lambda p: p.with_name("rank0b.log").write_bytes(ERROR % (9, 9))],
    ids=["rewritten", "rotated", "replaced", "changed, same time", "truncated", "gone", "another beside it"],
)  # fmt: skip
def test_a_log_that_changed_is_read_again(job: Path, change: object) -> None:
    opened(job)
    change(job / "rank1.log")  # type: ignore[operator]
    case, run = opened(job)
    if (job / "rank1.log").exists():
        assert run.engines, "something is new"
    assert_as_scanned(job, case)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1000])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-500] ^= 1
    path.write_bytes(data)


def other_program(path: Path) -> None:
    with_header(path, lambda header: header.update(program="0" * 32))


def wrong_sizes(path: Path) -> None:
    with_header(path, lambda header: header["entries"][0]["parts"][0]["size"].__setitem__(0, 7))


def negative_sizes(path: Path) -> None:
    with_header(path, lambda header: header["entries"][0]["parts"][0]["size"].__setitem__(slice(0, 2), [-1, 82]))


def more_behind_it(path: Path) -> None:
    reseal(path, lambda data: data + b"x")


def sealed(text: bytes) -> Callable[[Path], None]:
    return lambda path: reseal(path, lambda _: text)


@pytest.mark.parametrize(
    "damage",
    [cut, flip, other_program, wrong_sizes, negative_sizes, more_behind_it, lambda p: p.write_bytes(b""),
     lambda p: p.write_bytes(b"\xff" * 999), sealed(b""), sealed(b"[]\n"), sealed(b'{"crc": 1}\n'), sealed(b"[" * 5000)],
    ids=["cut", "bit flipped", "another program", "wrong sizes", "negative sizes", "more behind it", "empty", "garbage", "nothing",
         "no object", "no keys", "endless"],
)  # fmt: skip
def test_a_damaged_index_is_discarded(job: Path, damage: object) -> None:
    opened(job)
    damage(the_index())  # type: ignore[operator]
    case, run = opened(job)
    assert run.engines
    assert_as_scanned(job, case)
    assert opened(job)[1].engines == set(), "and made anew"


def test_only_its_owner_can_read_an_index(job: Path) -> None:
    opened(job)
    assert stat.S_IMODE(the_index().stat().st_mode) == 0o600
    assert stat.S_IMODE(kept_directory().stat().st_mode) == 0o700


def test_a_full_disk_costs_only_the_index(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(index_store, "_pieces", full)
    case, run = opened(job)
    assert not run.save()
    assert list(kept_directory().iterdir()) == []
    assert_as_scanned(job, case)


def test_an_interrupted_save_leaves_nothing_half_done(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(job)
    before = the_index().read_bytes()

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with (job / "rank1.log").open("ab") as out:
        out.write(b"more\n")
    monkeypatch.setattr(index_store, "_pieces", interrupt)
    with pytest.raises(KeyboardInterrupt):
        opened(job)
    assert [p.read_bytes() for p in kept_directory().iterdir()] == [before]


def test_no_directory_no_index(job: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way")
    case, run = opened(job)
    assert not run.save()
    assert_as_scanned(job, case)


def test_the_longest_unused_go_first(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(job)
    size = the_index().stat().st_size
    for n in range(4):
        other = kept_directory() / f"{n}.index"
        other.write_bytes(b"x" * size)
        os.utime(other, (n, n))
    left = kept_directory() / "left.new"
    left.write_bytes(b"x")
    os.utime(left, (time.time() - 7200,) * 2)
    monkeypatch.setattr(cache_files, "CAP_BYTES", 3 * size + size // 2)
    with (job / "rank1.log").open("ab") as out:
        out.write(b"x\n")
    opened(job)
    assert {p.name for p in kept_directory().iterdir()} - {"2.index", "3.index"} == {the_name(job)}


def the_name(job: Path) -> str:
    return IndexStore(discover([job]).files)._path.name


def test_a_case_too_large_is_not_kept(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_store, "CASE_CAP_BYTES", 100)
    _, run = opened(job)
    assert not run.save()


def test_small_jobs_are_not_worth_an_index(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "LEAST_INDEXED_BYTES", 1 << 30)
    opened(job)
    assert not kept_directory().exists()


def test_clearing_removes_all(job: Path) -> None:
    assert clear() == 0
    opened(job)
    assert clear() == 1
    assert list(kept_directory().iterdir()) == []


def test_a_log_read_while_it_was_written_is_read_on(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = discover([job])
    run = Sweep(found, jobs=1, keep=True)
    list(run.run())
    with (job / "rank2.log").open("ab") as out:
        out.write(ERROR % (2, 7))
    assert run.save()
    case, again = opened(job)
    assert again.engines
    assert_as_scanned(job, case)


@pytest.mark.parametrize(
    ("upto", "after", "expected"),
    [
        (9000, b"a" * 10_000, Change.NONE),
        (9000, b"a" * 10_001, Change.GROWN),
        (9000, b"a" * 9_999, Change.OTHER),
        (9000, b"b" + b"a" * 9_999, Change.OTHER),
        (9000, b"a" * 8_999 + b"b" * 2000, Change.OTHER),
        (0, b"b" * 20_000, Change.GROWN),
    ],
    ids=["same", "grown", "shorter", "other head", "other tail", "nothing was read"],
)
def test_what_happened_to_a_file(tmp_path: Path, upto: int, after: bytes, expected: Change) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(b"a" * 10_000)
    known = take(path, upto)
    assert known is not None
    if expected is not Change.NONE:
        path.write_bytes(after)
    assert compare(path, known) is expected


def test_a_file_that_is_gone_is_another(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(b"x\n")
    known = take(path, 2)
    path.unlink()
    assert known is not None
    assert compare(path, known) is Change.OTHER
    assert take(path, 2) is None


READ_ONCE = """
import sys
from pathlib import Path
from logtui.parsers.scan import sweep
from logtui.parsers.files.discover import discover

sweep.LEAST_INDEXED_BYTES = 0
run = sweep.Sweep(discover([Path(sys.argv[1])]), jobs=1, keep=True)
list(run.run())
case = run.case()
run.save()
print("scanned" if run.engines else "kept", *sorted({r.rank for r in case.records if "OutOfMemory" in r.text}, key=str))
"""
PLACE = Path(program.__file__).parents[1]


@pytest.fixture(params=["folder", "zip"])
def installed(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str, str], Path]:
    """Installs our parsers with a piece of some module replaced; every file of every release is of the same time."""

    def install(old: str, new: str) -> Path:
        place = tmp_path / "program"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(PLACE, place / "logtui/parsers", ignore=shutil.ignore_patterns("__pycache__", "generator"))
        (place / "logtui/__init__.py").write_text("")
        holding = [p for p in place.rglob("*.py") if old and old in p.read_text()]
        assert bool(holding) == bool(old)
        for path in holding:
            path.write_text(path.read_text().replace(old, new))
        for path in place.rglob("*"):
            os.utime(path, (10**9, 10**9))
        return Path(shutil.make_archive(str(place), "zip", place)) if request.param == "zip" else place

    return install


def test_an_index_does_not_survive_a_change_of_the_program(job: Path, installed: Callable[[str, str], Path]) -> None:
    def read(old: str, new: str) -> str:
        place = installed(old, new)
        command = [sys.executable, "-B", "-c", READ_ONCE, str(job)]
        run = subprocess.run(command, env=os.environ | {"PYTHONPATH": str(place)}, capture_output=True, text=True)
        assert run.stderr == ""
        return run.stdout.strip()

    assert [read("", "") for _ in range(2)] == ["scanned 0 1 2", "kept 0 1 2"]
    blind = r'r"\[rank(?P<rank>', r'r"\[RANK(?P<rank>'
    assert [read(*blind) for _ in range(2)] == ["scanned None", "kept None"]


def test_two_installations_of_the_same_code_are_the_same_program(installed: Callable[[str, str], Path]) -> None:
    """Wherever they are, as on the workers of a cluster."""
    script = "from logtui.parsers.scan.program import READERS, code; print(code(READERS))"
    seen = set()
    for _ in range(2):
        environment = os.environ | {"PYTHONPATH": str(installed("", ""))}
        seen.add(subprocess.check_output([sys.executable, "-B", "-c", script], env=environment))
    assert len(seen) == 1

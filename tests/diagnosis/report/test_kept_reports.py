"""A report on unchanged logs is found again, letter by letter; after any change it is made anew."""

from __future__ import annotations

import errno
import gzip
import json
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from resealed import reseal, with_header
from tiny_job import write_tiny_job

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.analyses import History, Pace, StepTime
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import Coverage, JobFacts, PatternCount, Report, Steps, Verdict
from logtui.diagnosis.report import json_report, markdown
from logtui.diagnosis.report.codec import NotThatShape
from logtui.diagnosis.report.kept import key, report_file, store
from logtui.diagnosis.report.kept.report_file import BareCase, KeptReport
from logtui.diagnosis.session.opening import Options, analyse, analyse_whole
from logtui.diagnosis.verdict.diagnose import report_on
from logtui.parsers.errors import PathUnreadable
from logtui.parsers.files.discover import Sniffed, sniff
from logtui.parsers.files.sealed import Damaged, write_sealed
from logtui.parsers.scan import cache_files, sweep
from logtui.parsers.scan.cache_files import clear, kept_directory
from logtui.parsers.scan.program import READERS, code, program
from logtui.parsers.source import Coding, Compression, Discovery, LogFile, NameHints

Made = list[Report]


@pytest.fixture(autouse=True)
def everything_is_worth_keeping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Small jobs too, and files written a moment ago."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sweep, "LEAST_INDEXED_BYTES", 0)
    monkeypatch.setattr(store, "LEAST_BYTES", 0)
    monkeypatch.setattr(store, "SETTLED_NS", -(10**15))
    yield


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    """The reports that were made, not found."""
    reports: Made = []

    def listed(facts: Facts) -> Report:
        reports.append(report_on(facts))
        return reports[-1]

    monkeypatch.setattr("logtui.diagnosis.session.reading.report_on", listed)
    return reports


@pytest.fixture
def job(tmp_path: Path) -> Path:
    return write_tiny_job(tmp_path / "job")


def texts(paths: list[Path], options: Options | None = None) -> tuple[str, str]:
    """What a headless run prints."""
    analysis = analyse_whole(paths, options)
    analysis.case.close()
    return json_report.dumps(analysis.report), markdown.render(analysis.report)


def the_report() -> Path:
    (path,) = kept_directory().glob("*.report")
    return path


def test_the_same_letters_without_a_diagnosis(job: Path, made: Made) -> None:
    first = texts([job])
    assert texts([job]) == first
    assert len(made) == 1
    assert texts([job], Options(no_cache=True)) == first
    assert len(made) == 2


def grown(job: Path) -> None:
    with (job / "error-4821-1.out").open("ab") as out:
        out.write(b"more\n")


def rewritten_in_the_middle(job: Path) -> None:
    path = job / "error-4821-0.out"
    path.write_bytes((b"boring\n" * 5_000).join([path.read_bytes()] * 2))
    texts([job])
    info = path.stat()
    with path.open("r+b") as out:
        out.seek(info.st_size // 2)
        out.write(b"BORING\n")
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))


def replaced(job: Path) -> None:
    path = job / "error-4821-0.out"
    text, info = path.read_text(), path.stat()
    path.unlink()
    path.write_text(text.replace("loss 2.31", "loss 3.12"))
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))


def truncated(job: Path) -> None:
    os.truncate(job / "error-4821-1.out", 1000)


def another_beside_it(job: Path) -> None:
    (job / "error-4821-2.out").write_text("[rank9]: torch.OutOfMemoryError: CUDA out of memory.\n")


def an_empty_one_beside_it(job: Path) -> None:
    (job / "error-4821-2.out").touch()


def a_packed_one_below_it(job: Path) -> None:
    (job / "more").mkdir()
    (job / "more" / "rank0.log.gz").write_bytes(gzip.compress(b"step 1 loss 2.31\n"))


def in_its_place(job: Path) -> None:
    """The whole folder copied and put in place of the old one, with all its times."""
    shutil.copytree(job, job.with_name("copy"))
    shutil.rmtree(job)
    job.with_name("copy").rename(job)


@pytest.mark.parametrize(
    "change",
    [grown, rewritten_in_the_middle, replaced, truncated, another_beside_it, an_empty_one_beside_it, a_packed_one_below_it,
     in_its_place, lambda job: (job / "error-4821-1.out").unlink(), lambda job: (job / "error-4821-1.out").touch(),
     lambda job: (job / "error-4821-1.out").rename(job / "error-4821-3.out"),
     lambda job: (job / "error-4821-1.out").chmod(0o640)],
    ids=["grown", "rewritten, same time", "replaced, same time", "truncated", "added", "added, empty", "added, packed",
         "copied back", "removed", "touched", "renamed", "other mode"],
)  # fmt: skip
def test_after_any_change_the_report_is_made_anew(job: Path, made: Made, change: Callable[[Path], None]) -> None:
    texts([job])
    change(job)
    before = len(made)
    now = texts([job])
    assert len(made) == before + 1
    assert now == texts([job], Options(no_cache=True))
    assert texts([job]) == now
    assert len(made) == before + 2, "and it is kept again"


def test_each_option_has_a_report_of_its_own(job: Path, tmp_path: Path, made: Made) -> None:
    healthy = tmp_path / "healthy"
    healthy.mkdir()
    (healthy / "a.log").write_text("step 1 loss 2.31\n")
    several = [
        Options(), Options(offset_s=0.0), Options(offset_s=3600.0), Options(baseline=(healthy,)), Options(ais=(healthy,)),
        Options(engine="numpy"),
    ]  # fmt: skip
    expected = [texts([job], replace(o, no_cache=True)) for o in several]
    made.clear()
    for _ in range(2):
        assert [texts([job], o) for o in several] == expected
    assert len(made) == len(several)
    (healthy / "a.log").write_text("step 1 loss 2.32\n")
    texts([job], several[3])
    assert len(made) == len(several) + 1, "the healthy run is another"


def test_the_same_paths_in_other_words_are_others(job: Path, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    files = sorted(job.iterdir())
    monkeypatch.chdir(job)
    for paths in ([job], [Path()], files, files[::-1], [Path(f.name) for f in files]):
        before = len(made)
        assert texts(paths) == texts(paths)
        assert len(made) == before + 1


def test_another_program_makes_its_own(job: Path, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    texts([job])
    monkeypatch.setattr(key, "program", lambda *_: "another")
    texts([job])
    assert len(made) == 2


def test_the_program_is_all_of_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def anew() -> str:
        code.cache_clear()
        return program(READERS, key.JUDGES)

    seen = set()
    for part in ("files/inflate.py", "rules/first_exception.py", "formats/python/retries.py"):
        original = Path.read_bytes

        def changed(path: Path, part: str = part, original: Callable[[Path], bytes] = original) -> bytes:
            return original(path) + (b"#" if path.as_posix().endswith(part) else b"")

        with monkeypatch.context() as patch:
            patch.setattr(Path, "read_bytes", changed)
            seen.add(anew())
    assert len({*seen, anew()}) == 4


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-10])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def other_version(path: Path) -> None:
    with_header(path, lambda header: header.update(version=0))


def other_sizes(path: Path) -> None:
    with_header(
        path,
        lambda header: header.update(sizes=[size + by for size, by in zip(header["sizes"], (8, -8, 0), strict=True)]),
    )


def sealed(text: bytes) -> Callable[[Path], None]:
    return lambda path: reseal(path, lambda _: text)


@pytest.mark.parametrize(
    "damage",
    [cut, flip, other_version, other_sizes, lambda p: p.write_bytes(b""), lambda p: p.write_bytes(b"\xff" * 99),
     sealed(b""), sealed(b"[]\n"), sealed(b"{}\n")],
    ids=["cut", "bit flipped", "other version", "other sizes", "empty", "garbage", "nothing", "no object", "no keys"],
)  # fmt: skip
def test_a_damaged_one_is_discarded(job: Path, made: Made, damage: Callable[[Path], None]) -> None:
    first = texts([job])
    damage(the_report())
    assert texts([job]) == first
    assert len(made) == 2
    assert texts([job]) == first
    assert len(made) == 2, "and made anew"


def test_one_that_somebody_else_wrote_is_not_used(job: Path, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    texts([job])
    monkeypatch.setattr(os, "getuid", lambda: 4821)
    texts([job])
    assert len(made) == 2


def test_only_its_owner_can_read_it(job: Path) -> None:
    texts([job])
    assert stat.S_IMODE(the_report().stat().st_mode) == 0o600


def test_without_a_cache_nothing_is_kept_or_used(job: Path, made: Made) -> None:
    texts([job], Options(no_cache=True))
    assert not kept_directory().exists()
    texts([job])
    texts([job], Options(no_cache=True))
    assert len(made) == 3


def test_clearing_removes_it(job: Path, made: Made) -> None:
    texts([job])
    assert clear() == 2
    assert list(kept_directory().iterdir()) == []
    texts([job])
    assert len(made) == 2


def test_a_full_disk_costs_only_the_cache(job: Path, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(cache_files, "write_sealed", full)
        first = texts([job])
    assert texts([job]) == first
    assert len(made) == 2


def test_what_changes_while_it_is_read_is_not_kept(job: Path, made: Made) -> None:
    for update in analyse([job]):
        if update.analysis:
            grown(job)
    texts([job])
    assert len(made) == 2


def test_what_was_written_a_moment_ago_is_not_kept(job: Path, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SETTLED_NS", 60 * 10**9)
    texts([job])
    texts([job])
    assert len(made) == 2


def test_small_jobs_are_not_worth_it(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LEAST_BYTES", 1 << 20)
    texts([job])
    assert list(kept_directory().glob("*.report")) == []


def test_a_reading_that_was_stopped_is_not_kept(job: Path, made: Made) -> None:
    list(analyse([job], Options(), lambda: True))
    texts([job])
    assert len(made) == 2


def test_a_file_that_may_be_readable_next_time(job: Path, made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(path: Path, name: str, packed: Compression) -> Sniffed:
        if name == "error-4821-1.out":
            raise PathUnreadable(path, os.strerror(errno.EIO))
        return sniff(path, name, packed)

    with monkeypatch.context() as patch:
        patch.setattr("logtui.parsers.files.discover.sniff", failing)
        texts([job])
    assert made[0].coverage.files_unread == (("error-4821-1.out", "Input/output error"),)
    texts([job])
    assert made[1].coverage.files_unread == ()


def test_the_screen_gets_what_it_was_made_from_after_the_report(job: Path, made: Made) -> None:
    (*_, fresh) = analyse([job])
    found = [update.analysis for update in analyse([job]) if update.analysis]
    assert len(made) == 1
    assert [a.facts is not None for a in found] == [False, True]
    assert found[0].report == found[1].report == made[0]
    assert fresh.analysis is not None
    assert len(found[1].case.records) == len(fresh.analysis.case.records) > 0
    for file in found[0].case.files:
        assert found[0].case.lines(file.index, 1, 50) == found[1].case.lines(file.index, 1, 50) != []
        assert found[0].case.line_count(file.index) == found[1].case.line_count(file.index)


REPORTS = [
    Report("1", JobFacts(), Coverage(), Verdict("unknown", "Undecided", "low")),
    Report(
        "1",
        JobFacts(id="\x00é", world_size=1 << 70, started=0.1),
        Coverage(files_unread=(("a", "b"), ("", "")), ranks_missing=(-1, 7)),
        Verdict("data", "x", "high", (1,), ("h",), Evidence("f", 1, "t", -0.0, True, 3)),
        ais={"a": [1, {"b": None}], "c": 1e300, "d": True},
        flight_recorder={},
        counts=(PatternCount("p", 3, {"f": 2}, {3: 1, -1: 2}),),
        steps=Steps(None, 1, 5e-324, pace=Pace((StepTime(1.0, 2, 3.5, True),))),
        history=History(),
        provisional=True,
    ),
]  # fmt: skip


def kept_with(report: Report, *files: LogFile) -> KeptReport:
    return KeptReport(report, BareCase(files, {}, ()), Discovery(files, ()))


@pytest.mark.parametrize("report", REPORTS, ids=["bare", "of everything"])
def test_a_report_comes_back_as_it_was(report: Report) -> None:
    again = report_file.report_in(report_file.to_text(kept_with(report)))
    assert repr(again) == repr(report)


def changed(**values: object) -> Callable[[dict[str, Any]], None]:
    return lambda text: text["report"].update(values)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (changed(version=3), r"\$\.report\.version"), (changed(job=None), r"\$\.report\.job"),
        (changed(provisional=1), r"\$\.report\.provisional"), (changed(ranks=[{"rank": "a"}]), r"ranks\[0\]\.rank"),
        (changed(chain=[{"step": 1, "what": "x", "time": "y"}]), r"chain\[\.*0\]\.time"), (changed(counts={}), "counts"),
        (changed(counts=[{"pattern": "p", "total": 1, "by_rank": {"a": 1}}]), "by_rank"),
        (changed(coverage={"files_unread": [["a"]]}), "files_unread"), (lambda text: text.pop("report"), "report"),
        (lambda text: text.update(files=[{"path": "?"}]), "files"), (lambda text: text.update(unread=[None]), "unread"),
    ],
)  # fmt: skip
def test_a_text_of_another_shape_is_refused(change: Callable[[dict[str, Any]], None], where: str) -> None:
    text = json.loads(report_file.to_text(kept_with(REPORTS[0])))
    change(text)
    with pytest.raises(NotThatShape, match=where):
        report_file.report_in(json.dumps(text).encode())


def written(path: Path, kept: KeptReport, key: str = "k") -> Path:
    write_sealed(path, lambda out: report_file.write(out, key, report_file.to_text(kept), kept.case))
    return path


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "kept", kept_with(replace(REPORTS[0], version="1" * 9000)))
    assert report_file.read(path, "k") is not None
    monkeypatch.setattr(report_file, "MOST_BYTES", 5000)
    with pytest.raises(Damaged, match="longer"):
        report_file.read(path, "k")


@pytest.mark.parametrize(
    ("version", "kept"), [("1", True), ("\ud800", False), ("1" * 9000, False)], ids=["usual", "no text", "too long"]
)
def test_what_cannot_be_written_or_read_is_not_kept(
    job: Path, monkeypatch: pytest.MonkeyPatch, version: str, kept: bool
) -> None:
    monkeypatch.setattr(report_file, "MOST_BYTES", 5000)
    reports = store.ReportStore([job], [], [])
    reports.begin()
    assert reports.save(kept_with(replace(REPORTS[0], version=version))) is kept
    assert len(list(kept_directory().glob("*.report"))) == kept


def test_files_come_back_with_all_that_is_known_of_them(job: Path) -> None:
    analysis = analyse_whole([job])
    analysis.case.close()
    unusual = {
        "compression": Compression.TAR, "inode": 7, "hints": NameHints(rank=3, host="node007"), "member": ("in", os.fsdecode(b"a\xff")),
        "path": Path(os.fsdecode(b"/x/\xfe")),
        "wrapping": "compose+ timestamps", "codings": (Coding.UTF16, Coding.JSON),
    }  # fmt: skip
    file = replace(analysis.case.files[0], **unusual)  # type: ignore[arg-type]
    tried = (f for f in fields(LogFile) if f.name != "cut")  # a report on a span of time is not kept
    assert all(getattr(file, f.name) != f.default for f in tried), "a field that is not tried here"
    path = written(job.parent / "kept", kept_with(analysis.report, file))
    found = report_file.read(path, "k")
    assert found is not None
    assert found.case.files == (file,)

"""Case files: what goes in comes out, without the logs; what is hostile is refused."""

from __future__ import annotations

import dataclasses
import io
import json
import tarfile
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from logtui.diagnosis.model.evidence import MarkedLine
from logtui.diagnosis.model.report import Report
from logtui.diagnosis.report import json_report, markdown
from logtui.diagnosis.report.case_file import reading
from logtui.diagnosis.report.case_file.layout import Format
from logtui.diagnosis.report.case_file.pseudonyms import Pseudonyms
from logtui.diagnosis.report.case_file.reading import open_case
from logtui.diagnosis.report.case_file.writing import write_case
from logtui.diagnosis.report.codec import decode
from logtui.diagnosis.report.saved_report import citations, drifted
from logtui.diagnosis.session.opening import Analysis, analyse_whole, unread_case
from logtui.parsers.errors import CaseFileRefused
from logtui.parsers.files import zstd
from logtui.parsers.files.case_file_mark import HEAD, is_case_file
from logtui.parsers.files.discover import discover
from logtui.parsers.files.excerpts import Excerpt, ExcerptSource
from logtui.parsers.files.lines import LineReader
from logtui.parsers.generator import demo_directory
from logtui.parsers.source import LogFile


@pytest.fixture(scope="module")
def analysis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Analysis]:
    found = analyse_whole([demo_directory("exception", tmp_path_factory.mktemp("demo"))])
    yield found
    found.case.close()


@pytest.fixture
def marks(analysis: Analysis) -> tuple[MarkedLine, ...]:
    file = analysis.case.files[0]
    return (MarkedLine(file.name, 3, analysis.case.lines(file.index, 3, 1)[0], "first sign", 4, 1_772_725_323.0),)


def test_a_case_opens_without_the_logs(analysis: Analysis, marks: tuple[MarkedLine, ...], tmp_path: Path) -> None:
    path = write_case(tmp_path / "case.tar.zst", analysis.case, analysis.report, marks)
    opened = analyse_whole([path])
    assert opened.report == analysis.report
    assert opened.marks == marks
    assert json_report.dumps(opened.report) == json_report.dumps(analysis.report)
    report = tmp_path / "report.md"
    report.write_text(markdown.render(opened.report, opened.marks))
    assert "first sign" in report.read_text()
    found = citations(report)
    assert len(found) > 3
    assert drifted(unread_case([path]), found) == []


def test_every_type_of_the_report_can_be_read_back() -> None:
    seen: set[Any] = set()

    def walk(kind: Any) -> None:
        for inner in get_args(kind):
            walk(inner)
        if dataclasses.is_dataclass(kind) and kind not in seen:
            seen.add(kind)
            for hint in get_type_hints(kind).values():
                walk(hint)
        elif not get_args(kind):
            assert dataclasses.is_dataclass(kind) or kind in (str, int, float, bool, object, type(None), Ellipsis)

    walk(Report)
    assert len(seen) > 20


def test_cited_lines_come_with_their_surroundings_at_their_numbers(
    analysis: Analysis, marks: tuple[MarkedLine, ...], tmp_path: Path
) -> None:
    opened = open_case(write_case(tmp_path / "case.tar.zst", analysis.case, analysis.report, marks)).case
    cited = analysis.report.verdict.first_evidence
    assert cited is not None
    file = opened.file_named(cited.file)
    assert file is not None
    first = max(cited.line - 20, 1)
    assert opened.lines(file.index, first, 21) == analysis.case.lines(file.index, first, 21)
    assert opened.indexes[file.index].lines == analysis.case.line_count(file.index)


def test_a_folder_of_logs_does_not_take_a_case_file_for_one(analysis: Analysis, tmp_path: Path) -> None:
    write_case(tmp_path / "case.tar.zst", analysis.case, analysis.report)
    (tmp_path / "worker.log").write_text("[rank0]: x\n")
    found = discover([tmp_path])
    assert [file.name for file in found.files] == ["worker.log"]
    assert [unread.file for unread in found.unread] == ["case.tar.zst"]


def test_names_are_replaced_the_same_way_everywhere(analysis: Analysis, tmp_path: Path) -> None:
    path = write_case(tmp_path / "case.tar.zst", analysis.case, analysis.report, pseudonymise=True)
    opened = open_case(path)
    assert opened.pseudonymised
    hosts = {rank.host for rank in analysis.report.ranks if rank.host}
    lines = (line.decode() for e in opened.case.excerpts.values() for _, kept in e.stretches for line in kept)
    text = "\n".join([markdown.render(opened.report), json_report.dumps(opened.report), *lines])
    assert hosts
    assert not [host for host in hosts if host in text]
    report = tmp_path / "report.md"
    report.write_text(markdown.render(opened.report))
    assert drifted(unread_case([path]), citations(report)) == []


HOME = "/" + "home"
"""Joined here: no file of the tree holds a folder of one machine."""


def job_of(user: str, folder: Path) -> Path:
    """A job whose lines name its user by a home, and elsewhere without one."""
    folder.mkdir(parents=True)
    lines = (
        f"submitted by {user} as {user}-run7",
        "[rank0]: Traceback (most recent call last):",
        f'[rank0]:   File "{HOME}/{user}/train.py", line 7, in <module>',
        f"[rank0]: ValueError: {user} has no shard 7",
    )
    (folder / f"{user}_train.log").write_text("".join(f"{line}\n" for line in lines))
    return folder


def test_a_user_with_a_home_stands_nowhere_in_a_case_file(tmp_path: Path) -> None:
    found = analyse_whole([job_of("jdoe", tmp_path / "logs")])
    mark = MarkedLine(found.case.files[0].name, 1, "submitted by jdoe", "ask jdoe")
    path = write_case(tmp_path / "case.tar.zst", found.case, found.report, (mark,), pseudonymise=True)
    held = b"".join(members_of(path).values())
    assert b"user-1 has no shard 7" in held
    assert b"jdoe" not in held


@pytest.mark.parametrize("user", ["rank", "status", "software", "report", "rule"])
def test_a_user_who_is_called_as_a_part_of_the_report_leaves_it_whole(user: str, tmp_path: Path) -> None:
    found = analyse_whole([job_of(user, tmp_path / "logs")])
    path = write_case(tmp_path / "case.tar.zst", found.case, found.report, pseudonymise=True)
    opened = open_case(path)
    assert opened.report.verdict.cls == found.report.verdict.cls
    assert f"{HOME}/user-1/".encode() in b"".join(members_of(path).values())


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("srun: error: node007: task 1", "srun: error: host-1: task 1"),
        ("node007.cluster.example.org up", "host-1 up"),
        ("open /users/jdoe/run7/a.py", "open /users/user-1/run7/a.py"),
        (
            f"{HOME}/jdoe/a.py of jdoe, jdoe-run7, jdoe_x.log",
            f"{HOME}/user-1/a.py of user-1, user-1-run7, user-1_x.log",
        ),
        ("by jdoe in (/u/jdoe)", "by user-1 in (/u/user-1)"),
        ("job of jdoe", "job of jdoe"),
        (f"{HOME}/ab/x ab", f"{HOME}/user-1/x ab"),
        (f"{HOME}/train/x of train", f"{HOME}/train/x of train"),
        ("s3://acme-corpus/shard-1.tar and acme-corpus", "s3://bucket-1/shard-1.tar and bucket-1"),
        ("s3://corpus/x of the corpus", "s3://bucket-1/x of the corpus"),
        ("GET /v1/objects/acme-corpus/x", "GET /v1/objects/bucket-1/x"),
        ("token=abcdef123456 x", "token=secret-1 x"),
        ("hf_abcdefghijklmnopqrst", "secret-1"),
        ("AWS AKIAIOSFODNN7EXAMPLE", "AWS secret-1"),
        ("http://me:hunter2@node007/", "http://secret-1@host-1/"),
        ("10.1.2.3:29500 and 10.1.2.3", "address-1:29500 and address-1"),
        ("mail jdoe@example.org", "mail user-1@domain"),
        ("at 15:42:03.120 step 10", "at 15:42:03.120 step 10"),
        ("nodes node[007-012] end", "nodes hosts[007-012] end"),
        ("localhost", "localhost"),
    ],
)
def test_what_is_replaced(text: str, replaced: str) -> None:
    names = Pseudonyms()
    names.learn_hosts(["node007.cluster.example.org" if "example.org up" in text else "node007"])
    names.learn([text])
    assert names.replace(text) == replaced


Members = dict[str, bytes]


def members_of(path: Path) -> Members:
    text = zstd.unpacking(path)
    with tarfile.open(fileobj=text) as tar:
        return {info.name: tar.extractfile(info).read() for info in tar}  # type: ignore[union-attr]


def pack(path: Path, members: Members, kind: bytes = tarfile.REGTYPE) -> Path:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size, info.type = (len(data), tarfile.REGTYPE) if name == HEAD else (len(data), kind)
            tar.addfile(info, io.BytesIO(data))
    path.write_bytes(zstd.compress(out.getvalue()))
    return path


def changed(name: str, **values: Any) -> Callable[[Members], None]:
    def change(members: Members) -> None:
        members[name] = json.dumps({**json.loads(members[name]), **values}).encode()

    return change


def without(name: str) -> Callable[[Members], None]:
    return lambda members: members.__delitem__(name) if name in members else None


def with_files(**values: Any) -> Callable[[Members], None]:
    def change(members: Members) -> None:
        head = json.loads(members[HEAD])
        head["files"][0].update(values)
        members[HEAD] = json.dumps(head).encode()

    return change


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(changed(HEAD, case=99), id="another format"),
        pytest.param(changed(HEAD, files=7), id="no files"),
        pytest.param(with_files(lines=1 << 60), id="too many lines"),
        pytest.param(with_files(lines=-1), id="fewer than no lines"),
        pytest.param(with_files(ranges=[[1, 1 << 40]]), id="lines that are not there"),
        pytest.param(with_files(ranges=[[-5, 1]]), id="lines before the first"),
        pytest.param(with_files(kind="../../x"), id="an unknown kind"),
        pytest.param(with_files(name=""), id="no name"),
        pytest.param(without("facts.json"), id="no facts"),
        pytest.param(changed("facts.json", verdict="guilty"), id="a verdict of another shape"),
        pytest.param(changed("facts.json", ais={"daemons": 7}), id="daemons of another shape"),
        pytest.param(changed("facts.json", timeline=[{"time": 1e999}]), id="an endless time"),
        pytest.param(changed("facts.json", job={"world_size": 1 << 70}), id="more ranks than there are numbers"),
        pytest.param(changed("facts.json", ais={"daemons": [], "x": 1 << 70}), id="a huge number in a free shape"),
        pytest.param(changed("facts.json", clocks=[{"source": "x", "zone": None, "offset_s": 1e301}]), id="eternity"),
        pytest.param(changed("facts.json", counts=[{"pattern": "x", "total": 1, "by_rank": {"a": 1}}]), id="no rank"),
        pytest.param(changed("facts.json", provisional=0), id="a number for a truth"),
        pytest.param(lambda m: m.update({"facts.json": b"[" * 100_000}), id="deep nesting"),
        pytest.param(lambda m: m.update({"facts.json": b"\x00\xff"}), id="no text"),
    ],
)
def test_what_does_not_fit_is_refused(analysis: Analysis, tmp_path: Path, change: Callable[[Members], None]) -> None:
    members = members_of(write_case(tmp_path / "good.tar.zst", analysis.case, analysis.report))
    change(members)
    path = pack(tmp_path / "bad.tar.zst", members)
    assert is_case_file(path)
    with pytest.raises(CaseFileRefused):
        open_case(path)


def test_what_does_not_fit_is_named(analysis: Analysis, tmp_path: Path) -> None:
    members = members_of(write_case(tmp_path / "good.tar.zst", analysis.case, analysis.report))
    changed("facts.json", ranks=[{"rank": 0}, {"rank": "one"}])(members)
    with pytest.raises(CaseFileRefused, match=r"Expected `int.*`, got `str` - at `\$\.ranks\[\.*1?\]\.rank`"):
        open_case(pack(tmp_path / "bad.tar.zst", members))


def test_damage_and_bombs_are_refused(analysis: Analysis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_case(tmp_path / "good.tar.zst", analysis.case, analysis.report)
    (tmp_path / "cut.tar.zst").write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(CaseFileRefused):
        open_case(tmp_path / "cut.tar.zst")
    monkeypatch.setattr(reading, "MOST_BYTES", 10_000)
    with pytest.raises(CaseFileRefused, match="more than"):
        open_case(path)


def test_a_small_file_holds_no_large_case(analysis: Analysis, tmp_path: Path) -> None:
    members = members_of(write_case(tmp_path / "good.tar.zst", analysis.case, analysis.report))
    bomb = pack(tmp_path / "bomb.tar.zst", members | {"more.txt": bytes(100 << 20)})
    assert bomb.stat().st_size < 100_000
    with pytest.raises(CaseFileRefused, match=r"more than \d\d MiB"):
        open_case(bomb)


def test_what_has_no_place_in_a_case_takes_no_memory() -> None:
    junk = b'{"case": 1, "more": [' + b"[]," * 2_000_000 + b"0]}"
    tracemalloc.start()
    try:
        assert decode(Format, junk) == Format(1)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_links_count_for_nothing(analysis: Analysis, tmp_path: Path) -> None:
    members = members_of(write_case(tmp_path / "good.tar.zst", analysis.case, analysis.report))
    with pytest.raises(CaseFileRefused, match=r"no facts\.json"):
        open_case(pack(tmp_path / "links.tar.zst", members, tarfile.SYMTYPE))


def test_nothing_a_terminal_acts_on_comes_out(analysis: Analysis, tmp_path: Path) -> None:
    members = members_of(write_case(tmp_path / "good.tar.zst", analysis.case, analysis.report))
    with_files(name="\x1b]52;c;eA==\x07evil.log")(members)
    for name in [name for name in members if name.startswith("lines/")]:
        members[name] = members[name].replace(b" ", b"\x1b[2J ", 1)
    opened = open_case(pack(tmp_path / "evil.tar.zst", members)).case
    assert opened.files[0].name == "evil.log"
    assert all(b"\x1b" not in line for e in opened.excerpts.values() for _, kept in e.stretches for line in kept)


@pytest.mark.parametrize("lines", [9, 4_000_000_000])
def test_any_line_of_an_excerpt_by_number(lines: int) -> None:
    excerpt = Excerpt(lines, ((2, (b"two", b"three")), (lines - 1, (b"last but one",))))
    source = ExcerptSource(excerpt)
    index = source.index(lines)
    log = LogFile(0, Path("gone"), "gone", 0, 0.0)
    reader = LineReader(log, index.offsets, index.before, (index.end, index.newlines), source=source)
    assert reader.count() == lines
    assert [reader.line(n) for n in (1, 2, 3, 4, lines - 2, lines - 1, lines)] == [
        b"", b"two", b"three", b"", b"", b"last but one", b"",
    ]  # fmt: skip
    assert reader.line(lines + 1) is None

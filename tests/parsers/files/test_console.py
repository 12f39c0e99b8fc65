"""What PowerShell makes of a program's standard error, as wide as its console, is read as the program wrote it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.session.opening import Options, analyse_whole
from logtui.parsers.files.console import Joining, width_of
from logtui.parsers.files.transcoding import LINE_CAP, ConsoleText, Given, find_codings, recoded_head
from logtui.parsers.source import Coding

MISSING = r"C:\Python312\python.exe: can't open file 'D:\\jobs\\llm\\experiments\\warmup\\pretrain_large_model.py': [Errno 2] No such file or directory"
TRACEBACK = r"""Traceback (most recent call last):
  File "D:\jobs\llm\experiments\warmup\with_a_name_that_is_long\pretrain_large_model.py", line 57, in <module>
    trainer = make_trainer(settings, loaders=make_loaders(settings), checkpoint=settings.checkpoint, retries=5)
  File "D:\jobs\llm\experiments\warmup\with_a_name_that_is_long\training\loaders_of_all_kinds.py", line 119, in fit
    raise ValueError(message)
ValueError: shard 57 of the data set holds 1,234 samples, but its table of contents says that there are 4,821 of them"""


def _broken(line: str, width: int) -> list[str]:
    """As PowerShell breaks a line: behind a blank, or within what fits in no line."""
    out = [""]
    for word in line.replace(" ", " \0").split("\0"):
        if len(out[-1]) + len(word.rstrip(" ")) >= width and len(word) < width:
            out.append("")
        while len(out[-1]) + len(word) > width:
            room = width - len(out[-1])
            out[-1] += word[:room]
            word = word[room:]
            out.append("")
        out[-1] += word
    return [part for part in out if part]


def _category(told: str, width: int) -> list[str]:
    text = f"    + CategoryInfo          : NotSpecified: ({told}:String) [], RemoteException"
    if len(text) <= width:
        return [text]
    return [text[:width], *(f"   {text[at : at + width - 3]}" for at in range(width, len(text), width - 3))]


def _written(stderr: str, width: int) -> str:
    """A log as `python train.py *> train.log` leaves it."""
    first, *others = stderr.split("\n")
    told = first if len(first) < 40 else f"{first[:20]}...{first[-17:]}"
    return "\n".join([
        *_broken(f"python.exe : {first}", width),
        "At line:1 char:1", "+ & python train.py", "+ ~~~~~~~~~~~~~~~~~",
        *_category(told, width), "    + FullyQualifiedErrorId : NativeCommandError", " ",
        *(part for line in others for part in _broken(line, width)), "",
    ])  # fmt: skip


WIDTHS = (40, 59, 79, 99, 119)


def _report(tmp_path: Path, text: str, coding: str) -> Report:
    (tmp_path / "train.log").write_bytes(text.replace("\n", "\r\n").encode(coding))
    analysis = analyse_whole([tmp_path], Options(no_cache=True))
    analysis.case.close()
    assert analysis.report.verification.failed == ()
    return analysis.report


@pytest.mark.parametrize("coding", ["utf-16", "utf-8-sig", "utf-8"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_script_that_is_not_there(tmp_path: Path, width: int, coding: str) -> None:
    verdict = _report(tmp_path, _written(MISSING, width), coding).verdict
    assert verdict.first_evidence is not None
    assert (verdict.cls, verdict.first_evidence.line) == ("config", 1)
    assert "pretrain_large_model.py': [Errno 2] No such file" in verdict.first_evidence.text


@pytest.mark.parametrize("coding", ["utf-16", "utf-8"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_traceback(tmp_path: Path, width: int, coding: str) -> None:
    text = _written(TRACEBACK, width)
    report = _report(tmp_path, text, coding)
    (plain := tmp_path / "plain").mkdir()
    expected = _report(plain, TRACEBACK, coding)
    first = report.verdict.first_evidence
    assert first is not None
    assert text.split("\n")[first.line - 1].startswith("ValueError: shard 57")
    assert (report.verdict.title, report.verdict.cls) == (expected.verdict.title, expected.verdict.cls)
    assert [step.what for step in report.chain] == [step.what for step in expected.chain]


@pytest.mark.parametrize(
    "first", ["Epoch 5 of 57", "loading 57 shards of the data set from the disk of this very machine"]
)
@pytest.mark.parametrize("width", WIDTHS[:-1])
def test_lines_are_whole_where_they_begin(first: str, width: int) -> None:
    text = _written(f"{first}\n{TRACEBACK}", width)
    assert find_codings(text.encode()) == (Coding.CONSOLE,)
    assert width_of(text) in range(width - 12, width + 1)
    read = recoded_head(text.encode(), (Coding.CONSOLE,)).decode()
    assert read.count("\n") == text.count("\n")
    if width_of(text) == width:
        assert "\n".join(line for line in read.split("\n") if line).endswith(TRACEBACK)


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        pytest.param("=" * 79, "Epoch 5", False, id="a ruler"),
        pytest.param("=" * 79, "====", True, id="a longer ruler"),
        pytest.param("a short line ", "and another", False, id="room for more"),
        pytest.param("x" * 70 + " ", "and_another", True, id="no room for a word"),
        pytest.param("x" * 90 + " ", "and_another", False, id="a line of the program's own"),
        pytest.param("x" * 79, "  indented", False, id="an indented line"),
        pytest.param("", "text", False, id="an empty line"),
    ],
)
def test_what_goes_on(before: str, after: str, joined: bool) -> None:
    joining = Joining(79)
    read = [*joining.lines([before, after]), *joining.rest()]
    assert read == ([before + after, ""] if joined else [before, after])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("step 57\n" * 9, id="a plain log"),
        pytest.param(_written("Epoch 5 of 57", 200), id="nothing broken"),
        pytest.param("the words + CategoryInfo in a line\n" * 9, id="words alone"),
    ],
)
def test_other_logs_are_read_as_they_are(text: str) -> None:
    assert find_codings(text.encode()) == ()


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\ufeff"), max_size=90)),
    st.integers(1, 999),
)
def test_any_text_keeps_its_lines_and_characters(lines: list[str], step: int) -> None:
    text = _written(MISSING, 79) + "".join(f"{line}\n" for line in lines)
    stream = ConsoleText(Given(text.encode()))
    read = b"".join(iter(lambda: stream.read(step), b"")).decode()
    assert read.count("\n") == text.count("\n")
    assert read.replace("\n", "").replace(" ", "") == text.replace("\n", "").replace(" ", "")


def test_a_line_too_long_stays_as_it_is() -> None:
    text = _written(MISSING, 79) + "x" * (2 * LINE_CAP + 5) + "\nstep 57\n"
    read = recoded_head(text.encode(), (Coding.CONSOLE,)).decode()
    assert read.split("\n")[-3:] == text.split("\n")[-3:]
    assert read.count("\n") == text.count("\n")

"""Text in other codings: the same lines at the same numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scanning import SMALL

from logtui.parsers.files.case import Case
from logtui.parsers.files.discover import discover
from logtui.parsers.files.reading import TextStream
from logtui.parsers.files.transcoding import LINE_CAP, Given, JsonText, PageText, Utf16Text, find_codings, text_of
from logtui.parsers.scan.table import TableBuilder
from logtui.parsers.source import Coding, LogFile

LINES = ["step 1 loss 2.5", "größer", "ValueError: no such shard", ""]


def _docker(lines: list[str]) -> bytes:
    objects = ({"log": f"{line}\n", "stream": "stderr", "time": "2026-03-04T05:06:07.8Z"} for line in lines)
    return "".join(json.dumps(o) + "\n" for o in objects).encode()


@pytest.mark.parametrize(
    ("line", "text"),
    [
        pytest.param(b'{"log": "a\\n", "stream": "stdout", "time": "2026-03-04T05:06:07.8Z"}',
                     "2026-03-04T05:06:07.8Z a\n", id="docker"),
        pytest.param(b'{"message": "a", "level": "info"}', "a", id="structured, no time"),
        pytest.param(b'{"level":"fatal","ts":1767323045.5,"msg":"gave up","error":"no answer"}',
                     "2026-01-02T03:04:05.500000+00:00 FATAL gave up: no answer", id="zap"),
        pytest.param(b'{"level":60,"time":1767323045500,"msg":"stopped","err":{"message":"bad file"}}',
                     "2026-01-02T03:04:05.500000+00:00 FATAL stopped: bad file", id="pino"),
        pytest.param(b'{"level":"info","msg":"went on","error":"no answer"}', "went on", id="no error"),
        pytest.param(b'{"MESSAGE": "a", "__REALTIME_TIMESTAMP": "1772600767000001"}',
                     "2026-03-04T05:06:07.000001+00:00 a", id="journal"),
        pytest.param(b'{"time": "yesterday", "msg": "a"}', "a", id="a time that is none"),
        pytest.param(b'{"time":"2031-02-03 04:05:06,789","level":"INFO","msg":"a"}',
                     "2031-02-03 04:05:06,789 a", id="as Python's logging gives a time"),
        pytest.param(b'{"timestamp": 1767323045.5, "message": "a"}', "2026-01-02T03:04:05.500000+00:00 a", id="seconds"),
        pytest.param(b'{"ts": 1767323045500, "msg": "a"}', "2026-01-02T03:04:05.500000+00:00 a", id="milliseconds"),
        pytest.param(b'{"ts": 57, "msg": "a"}', "a", id="seconds since the start"),
        pytest.param(b'{"msg": "train\\n", "rank": 5, "step": 57, "loss": 2.5, "pid": 4821, "ok": true}',
                     "[rank5]: train step=57 loss=2.5", id="structured, with numbers"),
        pytest.param(b'{"event": "failed", "exception": "Traceback (most recent call last):\\nKeyError: 5"}',
                     "failed\nTraceback (most recent call last):\nKeyError: 5", id="structured, with what was raised"),
        pytest.param(b'[{"stream_name":"stdout","time":0.9,"data":"begun\\n"}', "begun\n", id="Kaggle's first"),
        pytest.param(b',{"stream_name":"stderr","time":4.04,"data":"ValueError: a\\n"}', "ValueError: a\n", id="Kaggle's"),
        pytest.param(b'{"data": "a", "time": 4.04}', None, id="data of something else"),
        pytest.param(b'[{"data": "a"}]', None, id="a list of something else"),
        pytest.param(b'{"loss": 2.5, "step": 3}', None, id="numbers alone"),
        pytest.param(b'{"log": 3}', None, id="no text"),
        pytest.param(b'{"log": "a"', None, id="cut"),
        pytest.param(b'["log"]', None, id="a list"),
        pytest.param(b'{"a":' * 100_000, None, id="nested without end"),
        pytest.param(b'{"MESSAGE": "a", "__REALTIME_TIMESTAMP": "9999999999999999999"}', "a", id="no such year"),
    ],
)  # fmt: skip
def test_text_of_a_line(line: bytes, text: str | None) -> None:
    assert text_of(line) == text


@pytest.mark.parametrize(
    ("head", "codings"),
    [
        pytest.param(_docker(LINES), (Coding.JSON,), id="docker"),
        pytest.param(b'{"loss": 1}\n' * 9, (), id="metrics"),
        pytest.param(
            b'[{"stream_name":"stdout","time":0.9,"data":"a"}\n'
            + b',{"stream_name":"stdout","time":1.9,"data":"a"}\n' * 9,
            (Coding.JSON,),
            id="Kaggle",
        ),
        pytest.param(_docker(["a", "b"]), (), id="too few to tell"),
        pytest.param("a\nb\n".encode("utf-16"), (Coding.UTF16,), id="utf-16"),
        pytest.param("a\nb\n".encode("utf-16-be"), (), id="utf-16 that does not say so, too little to tell"),
        pytest.param("step 57\n".encode("utf-16-be"), (Coding.UTF16,), id="utf-16 that does not say so"),
        pytest.param(_docker(LINES).decode().encode("utf-16"), (Coding.UTF16, Coding.JSON), id="docker in utf-16"),
        pytest.param("a\xa0b\n\xa0c\n".encode() * 9, (Coding.PAGE,), id="hard blanks"),
        pytest.param("5\xa0% of it\nall of it\nall\n".encode() * 9, (), id="a hard blank now and then"),
        pytest.param(b"plain\n", (), id="plain"),
        pytest.param(b"", (), id="empty"),
    ],
)
def test_codings_of_a_head(head: bytes, codings: tuple[Coding, ...]) -> None:
    assert find_codings(head) == codings


def _read_all(reader: TextStream, step: int) -> bytes:
    out = b""
    while piece := reader.read(step):
        assert len(piece) <= step
        out += piece
    return out


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=20)),
       st.integers(1, 50))  # fmt: skip
def test_any_text_comes_back(lines: list[str], step: int) -> None:
    text = "".join(f"{line}\n" for line in lines)
    wide = Utf16Text(Given(text.encode("utf-16")))
    assert _read_all(wide, step).decode() == text
    objects = "".join(json.dumps({"log": f"{line}\n"}) + "\n" for line in lines)
    assert _read_all(JsonText(Given(objects.encode())), step).decode() == text
    hard = text.replace(" ", "\xa0").encode()
    assert _read_all(PageText(Given(hard)), step).decode() == text.replace("\xa0", " ")


@given(st.binary(max_size=300), st.integers(1, 50))
def test_any_bytes_keep_their_number_of_lines(data: bytes, step: int) -> None:
    assert _read_all(JsonText(Given(data)), step).count(b"\n") == data.count(b"\n")


def test_a_line_too_long_stays_as_it_is() -> None:
    long = b'{"log": "' + b"x" * (2 * LINE_CAP + 5) + b'"}\n'
    data = _docker(["a"]) + long + _docker(["b"])
    read = _read_all(JsonText(Given(data)), 1 << 20).split(b"\n")
    assert [read[0][-1:], read[1] + b"\n" == long, read[2][-1:]] == [b"a", True, b"b"]


def test_a_text_of_several_lines_stays_one_line() -> None:
    assert _read_all(JsonText(Given(b'{"log": "a\\nb\\n"}\n')), 99) == b"a\rb\n"


@pytest.mark.parametrize("data", [_docker(LINES), "\n".join([*LINES, ""]).encode("utf-16")], ids=["docker", "utf-16"])
def test_a_file_is_read_in_place(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "train.log").write_bytes(data)
    found = discover([tmp_path])
    (file,) = found.files
    case = _case_without_records(file)
    assert case.bodies(0, 1, 9) == LINES
    case.close()


def _case_without_records(file: LogFile) -> Case:
    return Case((file,), TableBuilder(SMALL, 0).table(), {})

"""Lines inside a traceback."""

from __future__ import annotations

import pytest

from logtui.parsers.stack_frames import Frame, FrameReader, is_frame, match_exception


@pytest.mark.parametrize(
    ("body", "expected", "name"),
    [
        pytest.param("ValueError: bad", False, "ValueError", id="message"),
        pytest.param("AssertionError", False, "AssertionError", id="bare"),
        pytest.param("torch.OutOfMemoryError: CUDA", False, "torch.OutOfMemoryError", id="dotted"),
        pytest.param("ray.exceptions.RayTaskError(KeyError): x", False, "ray.exceptions.RayTaskError", id="ray"),
        pytest.param("socket.timeout: timed out", False, "socket.timeout", id="lower case"),
        pytest.param("zipfile.BadZipFile: no", True, "zipfile.BadZipFile", id="expected name"),
        pytest.param("zipfile.BadZipFile: no", False, None, id="same name amid noise"),
        pytest.param("CorruptShard: no", True, "CorruptShard", id="own class"),
        pytest.param("Failures: none", True, None, id="plain word"),
        pytest.param("INFO: saving", True, None, id="level"),
        pytest.param("step 10 loss: 2", True, None, id="sentence"),
        pytest.param("error: x", True, None, id="program's error"),
    ],
)
def test_exception_lines(body: str, expected: bool, name: str | None) -> None:
    m = match_exception(body, expected)
    assert (m["name"] if m else None) == name


def test_reader_collects_frames_and_sources() -> None:
    reader = FrameReader()
    for body in ['  File "a.py", line 1, in f', "    g()", "    ~^^", '  File "b.py", line 22, in g']:
        assert reader.take(body)
    assert reader.frames == (Frame("a.py", 1, "f", "g()"), Frame("b.py", 22, "g"))


def test_margin_moves_with_the_frames() -> None:
    reader = FrameReader()
    reader.take('      File "a.py", line 1, in f')
    assert reader.exception("      KeyError: 1") is None
    assert reader.exception("    KeyError: 1") is not None


def test_noise_breaks_the_expectation() -> None:
    reader = FrameReader()
    reader.take('  File "a.py", line 1, in f')
    assert reader.exception("CorruptShard: no") is not None
    assert not reader.take("noise")
    assert reader.exception("CorruptShard: no") is None
    assert reader.exception("KeyError: 1") is not None


@pytest.mark.parametrize(
    ("body", "frame"),
    [
        ('  File "a.py", line 1, in f', True),
        ('File "a.py", line 1', True),
        ('  File "a.py", line ', False),
        ("  f()", False),
    ],
)
def test_is_frame(body: str, frame: bool) -> None:
    assert is_frame(body) is frame

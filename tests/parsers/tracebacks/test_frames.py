"""Lines inside a traceback, and the boxes that Rich draws round them."""

from __future__ import annotations

import pytest

from logtui.parsers.tracebacks.frames import Frame, FrameReader, is_frame, match_exception
from logtui.parsers.tracebacks.traceback import assemble


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
        pytest.param("KeyErrorKeyErrorKeyError: : 'x'", False, "KeyError", id="of several processes at once"),
        pytest.param("torch.AErrortorch.AError: no", False, "torch.AError", id="dotted, of two at once"),
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


BOX = """\
╭──────────────── Traceback (most recent call last) ────────────────╮
│ /opt/job/train.py:57 in <module>                                  │
│                                                                   │
│    55 │   parser = make_parser()                                  │
│ ❱  57 │   main(parser)                                            │
│                                                                   │
│ /opt/venv/lib/python3.11/site-packages/trainer/lau                │
│ nch.py:571 in run_all                                             │
│                                                                   │
│ ❱ 571 │   │   mask = batch["mask"]                                │
│ ╭───────── locals ─────────╮                                      │
│ │ batch = {'ids': 57}      │                                      │
│ ╰──────────────────────────╯                                      │
╰───────────────────────────────────────────────────────────────────╯
KeyError: 'mask'"""


@pytest.mark.parametrize("prefix", ["", "(main_task pid=4242) "])
def test_frames_and_exception(prefix: str) -> None:
    found = assemble([prefix + line for line in BOX.splitlines()])
    assert found is not None
    assert (found.exception, found.message) == ("KeyError", "'mask'")
    assert [(f.file, f.line, f.function) for f in found.frames] == [
        ("/opt/job/train.py", 57, "<module>"),
        ("/opt/venv/lib/python3.11/site-packages/trainer/launch.py", 571, "run_all"),
    ]
    assert found.frames[-1].source == 'mask = batch["mask"]'


def test_a_chain_of_boxes() -> None:
    link = "\nDuring handling of the above exception, another exception occurred:\n\n"
    found = assemble((BOX + "\n" + link + BOX.replace("KeyError: 'mask'", "RuntimeError: no batch")).splitlines())
    assert found is not None
    assert (found.exception, found.root.exception) == ("RuntimeError", "KeyError")


def test_a_box_that_is_cut() -> None:
    found = assemble(BOX.splitlines()[:6])
    assert found is not None
    assert not found.complete
    assert len(found.frames) == 1


def test_a_box_behind_a_progress_bar_with_a_wrapped_function() -> None:
    box = BOX.replace("nch.py:571 in run_all   ", "nch.py:571 in\n│ run_all").splitlines()
    found = assemble(["steps:   0%|       | 0/57 [00:00<?, ?it/s]" + box[0], *box[1:]])
    assert found is not None
    assert [f.function for f in found.frames] == ["<module>", "run_all"]
    assert found.exception == "KeyError"

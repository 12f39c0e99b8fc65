"""Tracebacks in the boxes that Rich draws."""

from __future__ import annotations

import pytest

from logtui.parsers.traceback import assemble

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

"""Tracebacks put together from what many processes wrote into one file, whatever stands before each line."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.parsers.tracebacks.traceback import HEADER, Traceback, assemble, is_warning

PLAIN = """\
Traceback (most recent call last):
  File "train.py", line 12, in <module>
    main()
  File "/opt/job/data.py", line 7, in load
    return json.loads(raw)
           ^^^^^^^^^^^^^^^
ValueError: shard-00012.tar: bad sample 7
step 10 loss 2.5"""


def lines_of(text: str) -> list[str]:
    return dedent(text).splitlines()


def whole(text: str, at: int = 0) -> Traceback:
    found = assemble(lines_of(text), at)
    assert found is not None
    return found


def prefixed(prefix: str, text: str) -> list[str]:
    return [prefix + line for line in lines_of(text)]


def test_plain() -> None:
    found = whole(PLAIN)
    assert (found.exception, found.message) == ("ValueError", "shard-00012.tar: bad sample 7")
    assert [(f.file, f.line, f.function) for f in found.frames] == [
        ("train.py", 12, "<module>"),
        ("/opt/job/data.py", 7, "load"),
    ]
    assert found.frames[-1].source == "return json.loads(raw)"
    assert (found.header_index, found.exception_index, found.last_index) == (0, 6, 6)
    assert found.root is found
    assert not found.mixed


@pytest.mark.parametrize(
    "prefix",
    [
        pytest.param("[rank57]: ", id="rank"),
        pytest.param("[rank57]:[rank57]: ", id="doubled"),
        pytest.param(" 7: ", id="srun label"),
        pytest.param("57: [rank57]: ", id="label and rank"),
        pytest.param("[default3]:", id="tee"),
        pytest.param("[default3]:[rank57]: ", id="tee and rank"),
        pytest.param("node007: [rank57]: ", id="pdsh and rank"),
        pytest.param("(WorkerDict pid=4242, ip=10.0.0.7) ", id="ray"),
        pytest.param("    ", id="continuation"),
        pytest.param("[rank3]:W0102 03:04:05.678901 4242 torch/a.py:7] [5/2] ", id="logger"),
    ],
)
def test_prefixes_come_off(prefix: str) -> None:
    found = assemble(prefixed(prefix, PLAIN.rsplit("\n", 1)[0]))
    assert found is not None
    assert found.message == "shard-00012.tar: bad sample 7"
    assert len(found.frames) == 2


def test_collector_times_differ_from_line_to_line() -> None:
    text = PLAIN.splitlines()[:-1]
    lines = [f"2026-01-02T03:04:05.{i:03d}Z stderr F [rank1]: {line}" for i, line in enumerate(text)]
    found = assemble(lines)
    assert found is not None
    assert found.exception == "ValueError"


def test_interleaved_ranks_are_told_apart() -> None:
    ours = prefixed("[rank1]: ", PLAIN.rsplit("\n", 1)[0])
    theirs = prefixed("[rank2]: ", PLAIN.replace("ValueError", "KeyError").rsplit("\n", 1)[0])
    mixed = [line for pair in zip(ours, theirs, strict=True) for line in pair]
    first, second = assemble(mixed, 0), assemble(mixed, 1)
    assert first is not None
    assert second is not None
    assert (first.exception, second.exception) == ("ValueError", "KeyError")
    assert (first.exception_index, second.exception_index) == (12, 13)
    assert not first.mixed


def test_unlabelled_writers_are_mixed_and_say_so() -> None:
    doubled = [line for line in PLAIN.splitlines()[:-1] for _ in range(2)]
    found = assemble(doubled)
    assert found is not None
    assert found.mixed
    assert found.exception == "ValueError"


def test_unprefixed_traceback_ignores_prefixed_lines() -> None:
    lines = PLAIN.splitlines()
    lines[3:3] = ["[rank9]: KeyError: 'x'", "node007: other text"]
    found = assemble(lines)
    assert found is not None
    assert found.exception == "ValueError"


def test_glued_behind_a_progress_bar() -> None:
    lines = prefixed("[rank4]: ", PLAIN)
    lines[0] = "Epoch 1:  33%|###   | 5/15 [00:03<00:06]" + lines[0]
    lines[4] = "Epoch 1:  40%|####  | 6/15 [00:04<00:05]" + lines[4]
    found = assemble(lines)
    assert found is not None
    assert found.exception == "ValueError"
    assert len(found.frames) == 2


@pytest.mark.parametrize(
    ("separator", "link"),
    [
        ("The above exception was the direct cause of the following exception:", "direct cause"),
        ("During handling of the above exception, another exception occurred:", "during handling"),
    ],
)
def test_chain_keeps_the_first_cause(separator: str, link: str) -> None:
    text = f"""\
        Traceback (most recent call last):
          File "a.py", line 1, in f
        KeyError: 'tokens'

        {separator}

        Traceback (most recent call last):
          File "b.py", line 2, in g
        RuntimeError: cannot build batch
    """
    found = whole(text)
    assert (found.exception, found.link) == ("RuntimeError", link)
    assert (found.root.exception, found.root.message) == ("KeyError", "'tokens'")
    assert found.headers == (0, 6)


def test_dataloader_worker_original_is_the_root() -> None:
    found = whole("""\
        [rank5]: Traceback (most recent call last):
        [rank5]:   File "train.py", line 3, in main
        [rank5]:     for batch in loader:
        [rank5]: ValueError: Caught ValueError in DataLoader worker process 2.
        [rank5]: Original Traceback (most recent call last):
        [rank5]:   File "worker.py", line 9, in fetch
        [rank5]: KeyError: 7
        [rank5]:
        [rank5]: During handling of the above exception, another exception occurred:
        [rank5]:
        [rank5]: Traceback (most recent call last):
        [rank5]:   File "set.py", line 4, in __getitem__
        [rank5]: ValueError: shard-00012.tar is cut
    """)
    assert (found.exception, found.worker, found.chain) == ("ValueError", 2, ())
    assert found.original is not None
    assert found.original.message == "shard-00012.tar is cut"
    assert found.root.exception == "KeyError"
    assert found.headers == (0, 4, 10)


def test_pool_worker_traceback_in_quotes() -> None:
    found = whole('''\
        multiprocessing.pool.RemoteTraceback:
        """
        Traceback (most recent call last):
          File "pool.py", line 5, in worker
        OSError: [Errno 5] Input/output error
        """

        The above exception was the direct cause of the following exception:

        Traceback (most recent call last):
          File "train.py", line 8, in <module>
        OSError: [Errno 5] Input/output error
    ''', at=2)  # fmt: skip
    assert found.frames[-1].file == "pool.py"
    assert found.exception == "OSError"


def test_ray_task_frames_follow_the_message() -> None:
    found = whole("""\
        Traceback (most recent call last):
          File "main.py", line 1, in <module>
        ray.exceptions.RayTaskError(ValueError): ray::Trainer.run() (pid=31, ip=10.0.0.7)
                   ^^^^^^^^
          File "trainer.py", line 40, in run
            self.step()
        ValueError: empty batch
    """)
    assert found.exception == "ray.exceptions.RayTaskError"
    assert (found.root.exception, found.root.message) == ("ValueError", "empty batch")


def test_exception_group_names_its_members() -> None:
    found = whole("""\
          + Exception Group Traceback (most recent call last):
          |   File "a.py", line 1, in <module>
          |     raise ExceptionGroup("save", errors)
          | ExceptionGroup: save (2 sub-exceptions)
          +-+---------------- 1 ----------------
            | OSError: [Errno 28] No space left on device
            +---------------- 2 ----------------
            | Traceback (most recent call last):
            |   File "b.py", line 2, in g
            | KeyError: 'x'
            +------------------------------------
    """)
    assert found.exception == "ExceptionGroup"
    assert [m.exception for m in found.members] == ["OSError", "KeyError"]
    assert found.root.message == "[Errno 28] No space left on device"
    assert found.last_index == 10


@pytest.mark.parametrize(
    ("tail", "message"),
    [
        pytest.param("RuntimeError: CUDA error: unknown error\nCUDA kernel errors might be late\nstep 3",
                     "CUDA error: unknown error\nCUDA kernel errors might be late", id="known hint"),
        pytest.param("RuntimeError: Error(s) in loading:\n\tsize mismatch for a\n\tsize mismatch for b\ndone",
                     "Error(s) in loading:\n\tsize mismatch for a\n\tsize mismatch for b", id="indented"),
        pytest.param("RuntimeError: \n\n        start a process\n\n        before\nnext",
                     "start a process\n\n        before", id="empty first line"),
        pytest.param("FileExistsError: run57 is there\nPass --resume to go on with it.\nstep 3",
                     "run57 is there\nPass --resume to go on with it.", id="an option is advised"),
        pytest.param("AssertionError\nstep 3", "", id="no message"),
        pytest.param("KeyError: 'a'\n2026-01-02 03:04:05,678 INFO next", "'a'", id="next record"),
        pytest.param("socket.timeout: timed out\nx", "timed out", id="lower-case exception"),
    ],
)  # fmt: skip
def test_messages_of_several_lines(tail: str, message: str) -> None:
    found = assemble([f"{HEADER}:", '  File "a.py", line 1, in f', *tail.split("\n")])
    assert found is not None
    assert found.message == message


def test_rank_prefix_owns_the_whole_message() -> None:
    text = f'{HEADER}:\n  File "a.py", line 1, in f\nValidationError: 1 error\nfield\n  bad value'
    found = assemble(prefixed("[rank3]: ", text))
    assert found is not None
    assert found.message == "1 error\nfield\n  bad value"


@pytest.mark.parametrize(
    ("text", "frames"),
    [
        pytest.param('  File "a.py", line 1, in f\n    f()', 1, id="window ends"),
        pytest.param('  File "a.py", line 1, in f\n    f()\n' + "noise\n" * 60, 1, id="too much noise"),
        pytest.param("", 0, id="header only"),
    ],
)
def test_cut_tracebacks_come_back_with_what_there_is(text: str, frames: int) -> None:
    found = assemble([f"[rank1]: {HEADER}:", *(f"[rank1]: {line}" for line in text.splitlines())])
    assert found is not None
    assert (found.complete, found.exception, len(found.frames)) == (False, "", frames)
    assert found.last_index <= 2


def test_other_output_amid_frames_is_passed_over() -> None:
    lines = PLAIN.splitlines()
    lines[3:3] = ["Failures: none", "INFO: saving", "loss: 3.5"]
    found = assemble(lines)
    assert found is not None
    assert (found.exception, len(found.frames)) == ("ValueError", 2)


def test_repeated_frames_and_syntax_errors() -> None:
    found = whole("""\
        Traceback (most recent call last):
          File "a.py", line 1, in f
            f()
          [Previous line repeated 996 more times]
          File "b.py", line 2
            x = = 1
                ^
        SyntaxError: invalid syntax
    """)
    assert [(f.file, f.function) for f in found.frames] == [("a.py", "f"), ("b.py", "")]
    assert found.exception == "SyntaxError"


def test_failure_block_indents_its_traceback() -> None:
    found = whole("""\
        [0]:
          traceback : Traceback (most recent call last):
            File "train.py", line 3, in main
              load()
          ValueError: bad sample

        ====
    """, at=1)  # fmt: skip
    assert (found.exception, found.message, found.exception_index) == ("ValueError", "bad sample", 4)


def test_json_holds_a_traceback_in_one_line() -> None:
    found = assemble(
        ['"py_callstack": "Traceback (most recent call last):\\n  File \\"a.py\\", line 1\\nKeyError: 7\\n"']
    )
    assert found is not None
    assert (found.exception, found.exception_index) == ("KeyError", 0)


@pytest.mark.parametrize(("lines", "at"), [([], 0), (["no header"], 0), ([HEADER], 3)])
def test_nothing_to_assemble(lines: list[str], at: int) -> None:
    assert assemble(lines, at) is None


_PIECES = st.sampled_from([
    f"{HEADER}:", f"Original {HEADER}:", f"  + Exception Group {HEADER}:", '  File "a.py", line 1, in f', "    f()",
    "ValueError: x", "ValueError: Caught KeyError in DataLoader worker process 0.", '"""', "", "  | x", "noise",
    "The above exception was the direct cause of the following exception:", "    ^^^", "  +-+---- 1 ----",
    "    +--------", "ray::f() (pid=1)", "[Previous line repeated 2 more times]",
])  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(["", "[rank1]: ", "3: "]), _PIECES), max_size=40))
def test_any_order_of_lines_gives_indices_inside_the_window(parts: list[tuple[str, str]]) -> None:
    lines = [prefix + body for prefix, body in parts]
    for at in range(len(lines)):
        found = assemble(lines, at)
        if found is not None:
            assert at == found.headers[0] <= found.last_index < len(lines)
            assert all(HEADER in lines[i] for i in found.headers)
            assert found.exception_index is None or at < found.exception_index <= found.last_index


BLOCK = (
    "Traceback (most recent call last):",
    '  File "train.py", line 57, in main',
    "    load(shard)",
    "ValueError: shard-00057.tar: bad sample 7",
)


@pytest.mark.parametrize(
    "head",
    [
        "trainer-1  | ",
        "stderr: ",
        "2026-01-02 03:04:0{n},678 ",
        "[2026-01-02 03:04:0{n}.678] [ERROR] [trainer] ",
        "2026-01-02 03:04:0{n}.678 | ERROR    | train:main:57 - ",
        "(EngineCore pid=4242) ERROR 01-02 03:04:0{n} [core.py:57] ",
        "E0102 03:04:0{n}.678901 4242 trainer.py:57] ",
        "train-job-worker-0 pytorch ",
        "176732200{n}.123 ",
    ],
    ids=["compose", "accelerate", "clock", "brackets", "loguru", "vllm", "glog", "stern", "epoch"],
)
def test_a_repeated_head_is_no_part_of_the_block(head: str) -> None:
    lines = [head.format(n=n) + line for n, line in enumerate((*BLOCK, "step 57"))]
    found = assemble(lines)
    assert found is not None
    assert (found.exception, found.message) == ("ValueError", "shard-00057.tar: bad sample 7")
    assert [f.function for f in found.frames] == ["main"]
    assert (found.exception_index, found.last_index) == (3, 3)


def test_containers_are_told_apart_by_their_names() -> None:
    other = [line.replace("57", "58") for line in BLOCK]
    lines = [text for pair in zip(BLOCK, other, strict=True) for text in (f"w-1  | {pair[0]}", f"w-2  | {pair[1]}")]
    found = [assemble(lines, at) for at in (0, 1)]
    assert [t.message.split(":")[0] for t in found if t] == ["shard-00057.tar", "shard-00058.tar"]


def test_a_head_before_the_first_line_alone() -> None:
    found = assemble(["2026-01-02 03:04:05,678 ERROR root: " + BLOCK[0], *BLOCK[1:]])
    assert found is not None
    assert found.message == "shard-00057.tar: bad sample 7"


@pytest.mark.parametrize("level", ["ERROR:root:", "trainer ERROR "])
@pytest.mark.parametrize(
    "stamp", ["2026-01-02 03:04:0{n} ", "[2026-01-02T03:04:0{n}.678] ", "2026-01-02 03:04:0{n}+00:00 "]
)
def test_a_collectors_clock_stands_before_every_line_of_what_a_logger_heads_once(stamp: str, level: str) -> None:
    texts = (level + BLOCK[0], *BLOCK[1:], "", "INFO:root:round 57 goes on", "WARNING:root:late by 7 s")
    found = assemble([stamp.format(n=n) + text for n, text in enumerate(texts)])
    assert found is not None
    assert (found.exception, found.message) == ("ValueError", "shard-00057.tar: bad sample 7")
    assert [f.function for f in found.frames] == ["main"]
    assert (found.exception_index, found.last_index) == (3, 3)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("WARNING 01-02 03:04:05 [import_utils.py:57] ", True),
        ("W0102 03:04:05.678901 4242 file.py:57] ", True),
        ("2026-01-02 03:04:05,678 ERROR root: ", False),
        ("", False),
    ],
)
def test_warnings(head: str, expected: bool) -> None:
    assert is_warning(head) is expected


def test_a_message_that_retells_an_exception() -> None:
    lines = [
        HEADER,
        '  File "fit57.py", line 57, in <module>',
        "    model.fit(x, y)",
        "ValueError: in user code:",
        "",
        "    /opt/py/keras/engine/training.py:853 train_function  *",
        "        return step_function(self, iterator)",
        "",
        "    ValueError: Dimensions must be equal, but are 14 and 16",
        "the job ends",
    ]
    found = assemble(lines)
    assert found is not None
    assert (found.root.message, found.root.exception_index) == ("Dimensions must be equal, but are 14 and 16", 8)


def test_an_interrupt_of_what_a_library_had_caught() -> None:
    inner = [
        HEADER,
        '  File "/opt/py/lib/python3.11/site-packages/PIL/ImageFile.py", line 57, in _save',
        "    fp.fileno()",
    ]
    lines = [
        *inner,
        "AttributeError: '_idat' object has no attribute 'fileno'",
        "",
        "During handling of the above exception, another exception occurred:",
        "",
        HEADER,
        '  File "/opt/job/plot57.py", line 57, in <module>',
        "    figure.save()",
        "KeyboardInterrupt",
    ]
    found = assemble(lines)
    assert found is not None
    assert found.root.exception == "KeyboardInterrupt"
    own = assemble(
        [line.replace("/opt/py/lib/python3.11/site-packages/PIL/ImageFile.py", "/opt/job/save57.py") for line in lines]
    )
    assert own is not None
    assert own.root.exception == "AttributeError"

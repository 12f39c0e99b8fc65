"""What the structure of a traceback tells where no declared kind knows it: tables, and exceptions written by format."""

from __future__ import annotations

import re
from pathlib import Path
from time import process_time

import pytest
from raised import RAISED, Fault, lines_of
from unseen import SITE, UNSEEN, Unseen

from logtui.parsers.exceptions.table import kind_of_traceback
from logtui.parsers.pattern import FailureClass
from logtui.parsers.pattern_checks import nested_repeats
from logtui.parsers.structure.answers import COMMANDS, ERRNOS, STATUSES, Answer, answers, called
from logtui.parsers.structure.classification import AGREED, classify, classify_line
from logtui.parsers.structure.clues import Clue, members, structure_of
from logtui.parsers.structure.families import FAMILIES, PROGRAM, family_of, family_of_type, place
from logtui.parsers.structure.hint import Hint
from logtui.parsers.structure.hints import HINTS
from logtui.parsers.tracebacks.traceback import Traceback, assemble

RIGHT = 0.95
"""Of the exceptions written by format, the share that must be given an accepted class."""
SEARCH_S = 0.25


def _assembled(text: str) -> Traceback:
    found = assemble([f"[rank3]: {line}" if line else "" for line in text.split("\n")])
    assert found is not None
    return found


def _judged(unseen: Unseen) -> tuple[FailureClass | None, int]:
    kind = classify(_assembled("\n".join(unseen.lines()))).kind
    return kind.cls, kind.weight


@pytest.mark.parametrize("hint", HINTS, ids=lambda h: f"{h.within.name}-{h.why}"[:60])
def test_a_hint_is_found_in_its_example_and_safe(hint: Hint) -> None:
    assert hint.found(hint.example)
    assert nested_repeats(hint.regex) == []
    started = process_time()
    for text in (hint.example * 90, *(run * 2000 for run in ("a", " ", "is ", "/a", "column ", "could not "))):
        hint.found(text[:4096])
    assert process_time() - started < SEARCH_S * 7


def test_no_library_is_in_two_families() -> None:
    named = [member for family in FAMILIES for member in family.members]
    assert [m for m in named if named.count(m) > 1] == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/opt/venv/lib/python3.12/site-packages/torch/utils/data/dataloader.py", "torch/utils/data/dataloader"),
        ("/usr/lib/python3/dist-packages/yaml/scanner.py", "yaml/scanner"),
        ("/opt/pyenv/versions/3.11.7/lib/python3.11/json/decoder.py", "std/json/decoder"),
        ("<frozen importlib._bootstrap>", "std/importlib/_bootstrap"),
        ("pandas/_libs/parsers.pyx", "pandas/_libs/parsers"),
        ("src/netCDF4/_netCDF4.pyx", "netCDF4/_netCDF4"),
        ("python/kernels57/core.pxi", "kernels57/core"),
        (r"C:\tools\anaconda3\envs\job\lib\site-packages\torch\hub.py", "torch/hub"),
        (r"C:\tools\anaconda3\envs\job\lib\json\decoder.py", "std/json/decoder"),
        (r"D:\Python311\Lib\subprocess.py", "std/subprocess"),
        (r"D:\job\evaluate.py", PROGRAM),
        ("/opt/job/data/reader.py", PROGRAM),
        ("train.py", PROGRAM),
    ],
)
def test_whose_a_file_is(path: str, expected: str) -> None:
    assert place(path) == expected


def test_the_deepest_declared_name_decides() -> None:
    assert family_of("torch/nn/modules/linear") is None
    found = family_of("fsspec/implementations/http"), family_of("fsspec/asyn"), family_of_type("lmdb.InvalidError")
    assert [f.cls for f in found if f] == [FailureClass.NETWORK, FailureClass.STORAGE_IO, FailureClass.DATA]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        *((f"OSError: [Errno {n}] x", answer) for answer, numbers in ERRNOS.items() for n in numbers),
        *((f"HTTPError: {n} Server Error", answer) for answer, numbers in STATUSES.items() for n in numbers),
        ("I/O error: x (os error 28)", Answer.FULL),
        ("status_code=503", Answer.OVERLOADED),
        ("StatusCode.UNAVAILABLE", Answer.UNREACHED),
    ],
)
def test_a_code_has_one_meaning(message: str, expected: Answer) -> None:
    assert next(iter(answers(message))).answer is expected


@pytest.mark.parametrize(
    "text",
    ["epoch 404 of 500", "the matrix is singular (error code: 1)", "shape (503, 28)", "line 28 column 5", "loss 500.0"],
)
def test_a_number_is_no_code(text: str) -> None:
    assert list(answers(text)) == []


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Command '['curl', '-f', 'http://a57']' returned non-zero exit status 7.", FailureClass.NETWORK),
        ("(('curl -s http://a57',), {'shell': True}): exit 23 (read)", FailureClass.STORAGE_IO),
        *((f"Command '['{n}', 'x']' failed", cls) for cls, names in COMMANDS.items() for n in names),
    ],
)
def test_a_called_program_says_what_failed(message: str, expected: FailureClass) -> None:
    found = called(message)
    assert found is not None and found[0] is expected


def test_most_unseen_exceptions_get_an_accepted_class() -> None:
    wrong = [u.name for u in UNSEEN if str(_judged(u)[0]) not in u.accepted.split("|")]
    assert len(wrong) <= (1 - RIGHT) * len(UNSEEN), wrong
    declared = [
        u for u in UNSEEN if str(kind_of_traceback(_assembled("\n".join(u.lines()))).cls) in u.accepted.split("|")
    ]
    assert len(declared) < len(UNSEEN) / 2, "these are no longer unseen: take others"


def test_where_clues_agree_they_are_right() -> None:
    sure = [(u, cls) for u in UNSEEN for cls, weight in [_judged(u)] if weight >= AGREED]
    assert len(sure) > len(UNSEEN) / 3
    assert [u.name for u, cls in sure if str(cls) not in u.accepted.split("|")] == []


@pytest.mark.parametrize("fault", RAISED, ids=lambda fault: fault.__name__)
def test_a_real_exception_gets_an_accepted_class(fault: Fault, tmp_path: Path) -> None:
    shown = list(lines_of(fault, tmp_path))
    begin = next(i for i, line in enumerate(shown) if "Traceback (" in line)
    found = classify(_assembled("\n".join(shown[begin:]))).kind
    assert str(found.cls) in RAISED[fault].split()


CHAINED = (
    "Traceback (most recent call last):\n"
    '  File "/opt/job/cache.py", line 7, in get\n    return known[name]\n'
    "KeyError: 'shard57'\n\n"
    "During handling of the above exception, another exception occurred:\n\n"
    "Traceback (most recent call last):\n"
    '  File "/opt/venv/lib/python3.12/site-packages/botocore/httpsession.py", line 57, in send\n    raise\n'
    'botocore.exceptions.EndpointConnectionError: Could not connect to the endpoint URL: "https://s3.example/a"'
)


def test_another_of_the_chain_may_be_declared() -> None:
    found = classify(_assembled(CHAINED))
    assert (found.kind.name, found.said.exception.rpartition(".")[2]) == (
        "exception.object_store",
        "EndpointConnectionError",
    )
    raised_from = classify(
        _assembled(
            CHAINED.replace(
                "During handling of the above exception, another",
                "The above exception was the direct cause of the following",
            ).replace("exception occurred:", "exception:")
        )
    )
    assert (raised_from.kind.name, raised_from.said.exception) == ("exception.object_store", "KeyError")


@pytest.mark.parametrize(
    ("name", "message", "frames", "expected"),
    [
        ("redis.exceptions.TimeoutError", "Timeout reading from socket", (), FailureClass.NETWORK),
        ("RuntimeError", "no plan", ("/opt/job/train.py main",), FailureClass.SOFTWARE),
        ("ValueError", "bad crc in chunk 57", (f"{SITE}zarr/core.py _decode",), FailureClass.DATA),
    ],
)
def test_a_line_alone_has_a_structure_too(
    name: str, message: str, frames: tuple[str, ...], expected: FailureClass
) -> None:
    assert classify_line(name, message, frames).cls is expected


LOOKED_UP = (
    "Traceback (most recent call last):\n"
    f'  File "{SITE}jobkit/registry.py", line 57, in get\n    return self._known[name]\n'
    "KeyError: 'plan57'\n\n"
    "During handling of the above exception, another exception occurred:\n\n"
    "Traceback (most recent call last):\n"
    '  File "/opt/job/train.py", line 7, in main\n    load("plan57")\n'
    f'  File "{SITE}jobkit/registry.py", line 59, in get\n    raise UnknownOption(name)\n'
    "jobkit.UnknownOption: unknown option plan57"
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (LOOKED_UP, "jobkit.UnknownOption"),
        (
            LOOKED_UP.replace(f'File "{SITE}jobkit/registry.py", line 57', 'File "/opt/job/table.py", line 57'),
            "KeyError",
        ),
        (
            LOOKED_UP.replace(f'File "{SITE}jobkit/registry.py", line 57', f'File "{SITE}h5py/a.py", line 57'),
            "KeyError",
        ),
        (LOOKED_UP.replace("KeyError: 'plan57'", "OSError: no plan57"), "OSError"),
        (LOOKED_UP.replace(": unknown option plan57", ""), "KeyError"),
    ],
    ids=["same library", "the program's", "another library's", "no look-up", "no words"],
)
def test_what_a_library_looked_up_in_vain_is_told_in_its_own_words(text: str, told: str) -> None:
    assert _assembled(text).root.exception == told


def test_members_are_all_of_a_chain() -> None:
    assert [m.exception.rpartition(".")[2] for m in members(_assembled(CHAINED))] == [
        "KeyError",
        "EndpointConnectionError",
    ]


PLAIN = (
    'Traceback (most recent call last):\n  File "/opt/job/train.py", line 7, in main\n    go()\nRuntimeError: no plan'
)


def test_what_says_nothing_stays_the_program_s() -> None:
    assert structure_of(_assembled(PLAIN)) is None
    assert classify(_assembled(PLAIN)).kind.name == "exception.other"


def test_other_clues_decide_where_the_text_says_nothing() -> None:
    found = structure_of(_assembled(PLAIN), [Clue(FailureClass.DATA, 2.5, "what a vague kind took it for")])
    assert found is not None and (found.cls, found.agreed) == (FailureClass.DATA, False)


def test_two_classes_alike_decide_nothing() -> None:
    even = [Clue(cls, 3.0, str(cls)) for cls in (FailureClass.DATA, FailureClass.CONFIG)]
    assert structure_of(_assembled(PLAIN), even) is None


@pytest.mark.parametrize(
    "following",
    [
        "node007:4242:4300 [3] NCCL INFO comm 0x57 rank 3 nranks 8 - Init COMPLETE",
        "INFO:train:resumed",
        "[WARNING] 57 files are old",
        "/opt/job/train.py:57: UserWarning: slow",
        "wandb: Waiting for the upload",
        " 57%|#####     | 57/100",
    ],
)
def test_a_message_ends_where_another_writer_begins(following: str) -> None:
    found = _assembled(
        PLAIN.replace(
            "RuntimeError: no plan", f"ModuleNotFoundError: No module named 'apex57'\n{following}\n    and so on"
        )
    )
    assert found.message == "No module named 'apex57'"


def test_names_are_said_in_words() -> None:
    assert [f.name for f in FAMILIES if not re.fullmatch(r"(?:a|the) [a-zA-Z' ]+", f.name)] == []


@pytest.mark.parametrize(
    ("function", "cls"), [("create_dataset", FailureClass.SOFTWARE), ("__getitem__", FailureClass.DATA)]
)
def test_a_library_of_readers_that_is_asked_to_write_tells_of_no_data(function: str, cls: FailureClass) -> None:
    raised = _assembled(
        'Traceback (most recent call last):\n  File "/opt/job/fit.py", line 57, in fit\n    model.fit()\n'
        f'  File "/opt/venv/lib/python3.11/site-packages/h5py/_hl/group.py", line 183, in {function}\n    other()\n'
        '  File "h5py/h5d.pyx", line 137, in h5py.h5d.other\nValueError: Unable to do it (name already there)'
    )
    found = structure_of(raised)
    assert found is not None and found.cls is cls

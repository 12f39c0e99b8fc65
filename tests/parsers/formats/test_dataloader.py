"""Data workers: the signal decides what a death means, the exception's name what a failure means."""

from __future__ import annotations

import pytest
from matching import matched, names

from logtui.parsers.pattern import FailureClass, Role
from logtui.parsers.registry import registry


@pytest.mark.parametrize(
    ("signal", "role", "cls"),
    [
        ("Killed. ", Role.CAUSE, FailureClass.HOST_OOM),
        (
            "Bus error. It is possible that dataloader's workers are out of shared memory.",
            Role.CAUSE,
            FailureClass.HOST_OOM,
        ),
        ("Segmentation fault. ", Role.CAUSE, FailureClass.SOFTWARE),
        ("Aborted. ", Role.CAUSE, FailureClass.SOFTWARE),
        ("Terminated. ", Role.SYMPTOM, None),
    ],
)
def test_signals(signal: str, role: Role, cls: FailureClass | None) -> None:
    (name,) = names(f"RuntimeError: DataLoader worker (pid 249) is killed by signal: {signal}", "dataloader")
    assert (registry().pattern(name).role, registry().pattern(name).cls) == (role, cls)


@pytest.mark.parametrize(
    ("exception", "cls"),
    [
        ("ValueError", FailureClass.DATA),
        ("FileNotFoundError", FailureClass.DATA),
        ("UnpicklingError", FailureClass.DATA),
        ("ConnectionError", FailureClass.STORAGE_IO),
        ("ConnectionResetError", FailureClass.STORAGE_IO),
        ("ReadTimeoutError", FailureClass.STORAGE_IO),
        ("AISBatchLoaderError", FailureClass.STORAGE_IO),
        ("OSError", FailureClass.STORAGE_IO),
        ("MemoryError", FailureClass.HOST_OOM),
    ],
)
def test_exceptions_of_workers(exception: str, cls: FailureClass) -> None:
    line = f"[rank5]: {exception}: Caught {exception} in DataLoader worker process 3."
    (name,) = names(line, "dataloader")
    assert registry().pattern(name).cls is cls
    assert matched(line)[name] == {"exception": exception, "worker": "3"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[rank28]: StopIteration", {"dataloader.exhausted"}),
        ("StopIteration", {"dataloader.exhausted"}),
        (" 3: [rank3]: StopIteration", {"dataloader.exhausted"}),
        ("[rank28]:     raise StopIteration", set()),
        ("    except StopIteration:", set()),
        ("# StopIteration", set()),
    ],
)
def test_running_out_of_data(line: str, expected: set[str]) -> None:
    assert names(line, "dataloader") == expected

"""Failures in a stream of several jobs that nothing divides, beside one that a scheduler's reports divide."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def raised(headline: str) -> str:
    return f'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in <module>\n    main()\n{headline}\n'


def reported(number: int, code: int, said: str) -> str:
    """What LSF writes behind the output of a job."""
    end = f"Exited with exit code {code}." if code else "Successfully completed."
    return (
        f"{said}\n------------------------------------------------------------\n"
        f"Sender: LSF System <lsfadmin@node007>\nSubject: Job {number}: <train> in cluster <lab> {'Exited' if code else 'Done'}\n\n"
        f"Started at Sun Nov 2{number % 7} 04:10:00 2026\nTerminated at Sun Nov 2{number % 7} 04:12:00 2026\n"
        f"Results reported at Sun Nov 2{number % 7} 04:12:00 2026\n\n{end}\n\n"
        "The output (if any) is above this job summary.\n\n"
    )


BANNER = "[2026-11-21 04:10:00,000] [INFO] [real_accelerator.py:57:get_accelerator] Setting ds_accelerator to cuda (auto detect)"
DISK, SHAPE = raised("OSError: [Errno 28] No space left on device"), raised("ValueError: shapes 57 and 75 differ")


@pytest.mark.parametrize(
    ("codes", "errors", "cls"),
    [((1, 1), DISK + SHAPE, "software"), ((1, 1), SHAPE + DISK, "storage-io"), ((1, 0), DISK, "healthy")],
    ids=["the last is the newest's", "the other way round", "the newest ended well"],
)
def test_whose_a_failure_is(codes: tuple[int, int], errors: str, cls: str, report_of: ReportOf) -> None:
    text = "".join(reported(57 + n, code, BANNER) for n, code in enumerate(codes))
    assert report_of({"train.out": text, "train.err": errors}).verdict.cls == cls

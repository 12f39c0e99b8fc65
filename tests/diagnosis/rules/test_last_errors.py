"""What a library quotes as its last error, or as the root of an exception, tells more than the exception's own words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

HEAD = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n'
NCCL = "torch.distributed.DistBackendError: NCCL error in: /opt/pytorch/NCCLUtils.cpp:77, {}, NCCL version 2.26.2\n{}\nLast error:\n{}\n"
REMOTE = "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely."
SYSTEM = "ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error."
REFUSED = "socketPollConnect: connect returned Connection refused, exceeded error retry count (35)"
CANCELLED = "srun: error: node007: task 1: Exited with exit code 1\nslurmstepd: error: *** STEP 4821.0 ON node007 CANCELLED AT 2026-11-21T04:12:00 ***\n"
TENSORFLOW = "tensorflow.python.framework.errors_impl.InternalError: 2 root error(s) found.\n(0) Internal: unhandled system error\n(1) Internal: unhandled system error\n"


@pytest.mark.parametrize(
    ("text", "cls"),
    [
        (
            HEAD + NCCL.format("remote process exited or there was a network error", REMOTE, REFUSED) + CANCELLED,
            "network",
        ),
        (
            HEAD
            + NCCL.format("unhandled system error", SYSTEM, "nvmlInit_v2() failed: Driver/library version mismatch"),
            "cuda-software",
        ),
        (HEAD + TENSORFLOW, "network"),
    ],
    ids=["a peer that refuses", "a driver that does not fit", "a root of TensorFlow's"],
)
def test_the_last_error_decides(text: str, cls: str, report_of: ReportOf) -> None:
    assert report_of({"train.log": text}).verdict.cls == cls


def test_the_last_try_of_nccls_socket_is_no_stores(report_of: ReportOf) -> None:
    line = "node007:4411:4602 [1] NCCL INFO socketPollConnect: connect returned Connection refused, retrying (34/34) after sleep for 3400 msec\n"
    assert report_of({"train.log": line}).verdict.cls != "storage-io"


def test_a_refusal_that_is_all_a_program_says(report_of: ReportOf) -> None:
    assert report_of({"stderr.log": "Unknown Layout: SOA57\n"}).verdict.cls == "config"


def test_a_traceback_whose_head_is_glued_to_a_bar(report_of: ReportOf) -> None:
    """The steps that the bar had made stand below the head, above the frames."""
    bar = "\r".join(f"  {n}%|##   | {n}/681 [00:{n:02d}<01:00,  1.0s/it]" for n in range(1, 57))
    steps = "".join(f"{{'loss': 0.5{n}, 'learning_rate': 4e-05, 'epoch': 0.0{n}}}\n" for n in range(1, 9))
    frames = '  File "/opt/job/train.py", line 57, in <module>\n    trainer.train()\nKeyboardInterrupt\n'
    verdict = report_of({"output.log": bar + "Traceback (most recent call last):\n" + steps + frames}).verdict
    assert verdict.cls == "infrastructure"


def test_the_first_of_many_alike(report_of: ReportOf) -> None:
    """A command that says of each recording what it cannot do, for longer than a window of lines."""
    failed = "ERROR (compute[5.5]:Compute():common.h:57) Waveform and settings differ in frequency: {n} .vs 16000 (use --resample=true option to allow it).\n"
    stack = "\n[ Stack-Trace: ]\n" + 6 * "/opt/lib/libbase.so(log+0x57)\n"
    warned = "\nWARNING (compute[5.5]:main():compute.cc:57) Failed to compute features for {n}\n"
    each = "".join(failed.format(n=8000 + n) + stack + warned.format(n=n) for n in range(30))
    each += "LOG (compute[5.5]:main():compute.cc:75)  Done 0 out of 30 utterances.\n# Accounting: time=0 threads=1\n"
    text = "# compute --config=57.conf\n# Started at Fri Jan  2 03:04:05 UTC 2026\n#\n" + each
    verdict = report_of(
        {"make.1.log": text + "# Ended (code 1) at Fri Jan  2 03:04:07 UTC 2026, elapsed time 2 seconds\n"}
    ).verdict
    assert verdict.first_evidence is not None and verdict.first_evidence.line == 4

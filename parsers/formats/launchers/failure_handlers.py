"""Failure handlers of Abseil (Ray, JAX) and glog (Caffe, Paddle): what they print of a signal before its stack."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_HOW = r" (?:received at time=(?P<epoch>\d{1,12})|\(@0x[0-9a-f]{1,16}\) received by PID \d{1,10})"
"""Abseil's words, and glog's, which a line with the time stands above."""
_GLOG = " (@0x3e80000270f) received by PID 4821 (TID 0x7f5702d0c7c0) from PID 5757; stack trace: ***"

FORMAT = LineFormat(
    name="failure_handlers",
    title="Failure handlers of Abseil and glog",
    reference="abseil-cpp absl/debugging/failure_signal_handler.cc; glog src/signalhandler.cc, 0.3 to 0.7",
    patterns=(
        Pattern(
            name="failure_handler.told_to_stop",
            anchors=(
                "*** SIGTERM received at time=",
                "*** SIGINT received at time=",
                "*** SIGHUP received at time=",
                "*** SIGTERM (@0x",
                "*** SIGINT (@0x",
                "*** SIGHUP (@0x",
            ),
            regex=r"\*\*\* (?P<signal>SIGTERM|SIGINT|SIGHUP)" + _HOW,
            samples=(
                Sample(
                    "*** SIGTERM received at time=1772704807 on cpu 57 ***",
                    {"signal": "SIGTERM", "epoch": "1772704807"},
                ),
                Sample("*** SIGTERM" + _GLOG, {"signal": "SIGTERM"}),
            ),
            role=Role.SYMPTOM,
            marks=(Mark.SIGNALLED, Mark.TOLD_TO_STOP),
            title="a process was told to end by a signal",
            note="The stack below it is of the moment, not of a fault.",
        ),
        Pattern(
            name="failure_handler.crashed",
            anchors=(
                "*** SIGSEGV received at time=",
                "*** SIGBUS received at time=",
                "*** SIGFPE received at time=",
                "*** SIGSEGV (@0x",
                "*** SIGBUS (@0x",
                "*** SIGFPE (@0x",
            ),
            regex=r"\*\*\* (?P<signal>SIGSEGV|SIGBUS|SIGFPE)" + _HOW,
            samples=(
                Sample("*** SIGSEGV received at time=1772704807 on cpu 57 ***", {"signal": "SIGSEGV"}),
                Sample("*** SIGSEGV" + _GLOG, {"signal": "SIGSEGV"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=58,
            title="a process crashed ({signal})",
            note="The frames below it name the library.",
        ),
    ),
)

"""A time limit that a program sets itself, on a piece of its own work."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.own_timer",
    writer="eventlet/timeout.py, gevent/timeout.py, func_timeout/exceptions.py, timeout_decorator; subprocess",
    types=(
        r"^(?:eventlet|gevent)\.timeout\.Timeout$",
        r"(?:^|\.)FunctionTimedOut$",
        r"^timeout_decorator\.\S*TimeoutError$",
        r"^subprocess\.TimeoutExpired$",
    ),
    cls=FailureClass.SOFTWARE,
    weight=62,
    title="a time limit that the program set itself ran out",
    advice=(Advice("training", "raise the limit, or catch what it raises {where}"),),
    samples=(
        Raised("eventlet.timeout.Timeout: 57 seconds"),
        Raised("gevent.timeout.Timeout: 57 seconds"),
        Raised("func_timeout.exceptions.FunctionTimedOut: Function solve (args=()) timed out after 57.000000 seconds."),
        Raised("timeout_decorator.timeout_decorator.TimeoutError: 'Timed Out'"),
        Raised("subprocess.TimeoutExpired: Command 'obabel a57.pdb' timed out after 57 seconds"),
    ),
)

"""An option that a program declares twice: no command line is at fault."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.option_twice",
    writer="CPython's argparse, _ActionsContainer._handle_conflict_error",
    types=(r"(?<!Invalid)ArgumentError",),
    says=(r"\bconflicting option strings?: ",),
    cls=FailureClass.SOFTWARE,
    weight=66,
    title="the program declares an option twice",
    samples=(Raised("argparse.ArgumentError: argument --depth57: conflicting option string: --depth57"),),
)

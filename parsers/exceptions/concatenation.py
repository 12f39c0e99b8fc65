"""Sequences of different types that a program adds: no record of the data makes that."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.concatenation",
    writer="CPython Objects/{tuple,list,unicode}object.c",
    types=(r"TypeError$",),
    says=(r"can only concatenate (?:tuple|list|str|deque|bytes) \(not [\"'][\w.]{1,60}[\"']\) to ",),
    cls=FailureClass.SOFTWARE,
    weight=60,
    title="the program adds what cannot be added",
    samples=(
        Raised('TypeError: can only concatenate tuple (not "list") to tuple'),
        Raised('TypeError: can only concatenate str (not "int") to str'),
    ),
)

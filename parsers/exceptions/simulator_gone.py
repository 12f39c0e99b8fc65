"""A traffic simulator that ended under the program that steers it: why, its own words tell."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.simulator_gone",
    writer="SUMO 1, tools/traci/connection.py",
    types=(r"FatalTraCIError$",),
    cls=FailureClass.SOFTWARE,
    weight=55,
    title="the simulator that it steers has ended",
    samples=(Raised("traci.exceptions.FatalTraCIError: connection closed by SUMO"),),
)

"""PETSc, on which many simulations stand: its own errors and the signals that it catches, with the rank before each line."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Mark, Pattern, Role, Sample

_RANK = r"\[(?P<rank>\d{1,6})\]PETSC ERROR: "
_ERRORS = (
    "Out of memory|No support for this operation|Signal received|Nonconforming object sizes|Invalid argument|Argument out of range"
    "|Corrupt argument|Unable to open file|Read from file failed|Write to file failed|Invalid pointer|Arguments must have same type"
    "|Zero pivot in|Floating point exception|Object is in wrong state|Arguments are incompatible|Error in external library"
    "|Unknown type|Petsc has generated inconsistent data|Missing or incorrect user input|Memory corruption"
    "|Unexpected data in file|Null argument|Error in system call|General MPI error|Error running program|Detected breakdown"
)

FORMAT = LineFormat(
    name="petsc",
    title="PETSc",
    reference="petsc src/sys/error/err.c, errtrace.c, signal.c, 3.6 to 3.22",
    patterns=(
        Pattern(
            name="petsc.crashed",
            anchors=("PETSC ERROR: Caught signal number ",),
            regex=_RANK + r"Caught signal number (?P<signal>4|6|7|8|11)\b",
            samples=(
                Sample(
                    "[57]PETSC ERROR: Caught signal number 11 SEGV: Segmentation Violation, probably memory access out of range",
                    {"rank": "57", "signal": "11"},
                ),
                Sample(
                    "[3]PETSC ERROR: Caught signal number 8 FPE: Floating Point Exception,probably divide by zero",
                    {"rank": "3"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=66,
            marks=(Mark.NAMES_RANK,),
            title="PETSc caught signal {signal}: the program crashed",
        ),
        Pattern(
            name="petsc.told_to_end",
            anchors=("PETSC ERROR: Caught signal number 15", "PETSC ERROR: Caught signal number 1 "),
            regex=_RANK + r"Caught signal number 15?\b",
            samples=(
                Sample(
                    "[57]PETSC ERROR: Caught signal number 15 Terminate: Some process (or the batch system) has told this process to end",
                    {"rank": "57"},
                ),
            ),
            role=Role.SYMPTOM,
            marks=(Mark.NAMES_RANK,),
            title="a rank was told to end",
        ),
        Pattern(
            name="petsc.error",
            anchors=("PETSC ERROR: ",),
            regex=_RANK + r"(?P<msg>(?:" + _ERRORS + r")[^\n]{0,300})",
            samples=(
                Sample(
                    "[0]PETSC ERROR: Null argument, when expecting valid pointer",
                    {"rank": "0", "msg": "Null argument, when expecting valid pointer"},
                ),
                Sample("[57]PETSC ERROR: Unable to open file", {"rank": "57"}),
            ),
            role=Role.STATE,
            marks=(Mark.UNCAUGHT, Mark.NAMES_RANK),
            title="PETSc: {msg}",
        ),
    ),
)

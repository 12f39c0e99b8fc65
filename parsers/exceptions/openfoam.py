"""What OpenFOAM does not find in a case: a file, an entry of a dictionary, a solver of that name."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.openfoam_case",
    writer="OpenFOAM src/OpenFOAM/db/dictionary, db/IOobjects, matrices/lduMatrix",
    says=(
        r"^cannot find file \"",
        r"^(?:keyword|entry) \S{1,80} (?:is undefined|not found) in dictionary \"",
        r"^unknown (?:\w{1,20} ){1,4}solver type \w",
        r"^\"?ill defined primitiveEntry starting at keyword",
        r"^attempt to run parallel on \d{1,6} processor",
    ),
    cls=FailureClass.CONFIG,
    weight=60,
    title="the case does not hold what the solver asks for",
    samples=(
        Raised('RuntimeError: cannot find file "/opt/case57/system/controlDict"'),
        Raised(
            'RuntimeError: keyword div(phi,k57) is undefined in dictionary "/opt/case57/system/fvSchemes.divSchemes"'
        ),
        Raised("RuntimeError: Unknown asymmetric matrix solver type solver57"),
        Raised(
            "RuntimeError: \"ill defined primitiveEntry starting at keyword 'patches57' on line 7 and ending at line 57\""
        ),
        Raised("RuntimeError: attempt to run parallel on 1 processor"),
    ),
)

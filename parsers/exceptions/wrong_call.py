"""A call that no sample can make right, where samples are read: arguments that a function does not take, or a number of
another width."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.exceptions.vocabulary import SAMPLE_CODE
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.wrong_call",
    writer="CPython's calls; torch before 1.6, which fills no tensor with numbers of another type",
    types=(r"TypeError$",),
    says=(
        r"\bgot an unexpected keyword argument\b|\bgot multiple values for\b",
        r"\btakes (?:no|\d{1,3}|from \d{1,3} to \d{1,3}) (?:positional )?arguments?\b",
        r"\bmissing \d{1,3} required (?:positional|keyword-only) arguments?\b",
        r"\bobject is not callable\b",
        r"^expected (?:Float|Double|Half|Long|Int|Byte|Bool) \(got (?:Float|Double|Half|Long|Int|Byte|Bool)\)",
    ),
    frames=(SAMPLE_CODE.any,),
    cls=FailureClass.SOFTWARE,
    weight=63,
    title="a function is called in a way it does not know",
    samples=(
        Raised("TypeError: load57() got an unexpected keyword argument 'rate'", ("/opt/job/reader57.py __getitem__",)),
        Raised(
            "TypeError: load57() takes 2 positional arguments but 3 were given",
            ("torch/utils/data/_utils/worker.py _worker_loop",),
        ),
        Raised(
            "TypeError: load57() missing 1 required positional argument: 'rate'", ("/opt/job/reader57.py collate_fn",)
        ),
        Raised("TypeError: 'list' object is not callable", ("/opt/job/reader57.py __getitems__",)),
        Raised("TypeError: expected Float (got Double)", ("/opt/job/reader57.py __getitem__",)),
    ),
)

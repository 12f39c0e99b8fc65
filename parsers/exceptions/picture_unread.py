"""A picture that its reader could not open: OpenCV gives nothing back, and what is asked of that fails."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.exceptions.vocabulary import SAMPLE_CODE
from logtui.parsers.pattern import FailureClass
from logtui.parsers.remedies import BAD_FILE

KIND = ExceptionKind(
    name="exception.picture_unread",
    writer="CPython; OpenCV's imread, which returns None for a file that it cannot read",
    types=(r"AttributeError$", r"TypeError$"),
    says=(
        r"^'NoneType' object has no attribute '(?:astype|shape|copy|transpose|convert|size|mean|dtype|ndim|resize|crop)'",
        r"^'NoneType' object is not subscriptable",
    ),
    frames=(SAMPLE_CODE.any,),
    cls=FailureClass.DATA,
    weight=66,
    title="a picture or a record could not be read",
    note="The reader gave nothing back: the file is missing, unreadable, or of another format.",
    advice=BAD_FILE,
    samples=(
        Raised("AttributeError: 'NoneType' object has no attribute 'astype'", ("/opt/job/pictures57.py __getitem__",)),
        Raised("TypeError: 'NoneType' object is not subscriptable", ("/opt/job/pictures57.py __getitem__",)),
    ),
)

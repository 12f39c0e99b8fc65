"""A path that a program found not to be there, and says so in words of its own."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.path_asserted",
    writer="readers of data sets and configurations that check their paths: Faster R-CNN's imdb and its kin, MATLAB's dlmread, sentence-transformers 1 and 2, and others",
    types=(r"^AssertionError$", r"^ValueError$", r"^Exception$", r"^RuntimeError$"),
    says=(
        r"^(?:the )?(?:path|file|folder|directory)(?: \S{1,200})? (?:does not exist|could not be opened)\b",
        r"^Path \S{1,300} not found$",
    ),
    cls=FailureClass.CONFIG,
    weight=56,
    title="a path is wrong",
    samples=(
        Raised("AssertionError: Path does not exist: /opt/job/data/VOC57/ImageSets/Main/train.txt"),
        Raised("ValueError: The folder /opt/job/run57 does not exist"),
        Raised("RuntimeError: The file '/opt/job/run57.mat' could not be opened"),
        Raised("ValueError: Path /data/models/net57/final not found"),
        Raised("Exception: File /opt/job/run57.lst does not exist"),
    ),
)

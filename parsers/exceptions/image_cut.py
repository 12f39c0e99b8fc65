"""Images that end too early, or hold something else."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.image_cut",
    writer="Pillow",
    types=(r"OSError",),
    says=(r"image file is truncated|(?:broken|unrecognized) data stream (?:contents )?when reading image file",),
    cls=FailureClass.DATA,
    weight=70,
    title="an image file is cut or damaged",
    advice=(Advice("training", "find the file by a try in the data set's __getitem__, and fetch or skip it"),),
    samples=(
        Raised("OSError: image file is truncated (57 bytes not processed)", ("PIL/ImageFile.py load",)),
        Raised("OSError: broken data stream when reading image file", ("PIL/ImageFile.py load",)),
    ),
)

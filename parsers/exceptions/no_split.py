"""A split or a table that a data set does not have, asked for by the program's own words."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.no_split",
    writer="Hugging Face datasets/dataset_dict.py, DatasetDict.__getitem__",
    types=(r"KeyError$",),
    frames=(r"datasets/dataset_dict\S{0,3} __getitem__",),
    cls=FailureClass.SOFTWARE,
    weight=66,
    title="the data set has no split of that name",
    advice=(Advice("training", "print the data set's splits, and ask for one of them"),),
    samples=(Raised("KeyError: 'validation57'", ("datasets/dataset_dict.py __getitem__",)),),
)

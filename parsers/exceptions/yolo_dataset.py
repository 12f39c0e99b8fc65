"""A data set that YOLO is told of and does not find, or that has no labels to train on."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.yolo_dataset",
    writer="Ultralytics 8, YOLOv5, YOLOv7",
    types=(r"RuntimeError$", r"FileNotFoundError$", r"Exception$", r"AssertionError$"),
    says=(
        r"^Dataset '[^'\n]{1,300}' (?:error|for task=|images not found)",
        r"^Dataset not found\b",
        r"images not found[^\n]{0,12}, missing path",
        r"No (?:labels|images) found in \S{1,300}[^\n]{0,40}(?:[Cc]an ?not|train)",
    ),
    cls=FailureClass.CONFIG,
    weight=58,
    title="the data set is not where the settings say",
    advice=(
        Advice(
            "training", "mend the paths in the data set's YAML file, or datasets_dir of Ultralytics' settings: {raised}"
        ),
    ),
    samples=(
        Raised("RuntimeError: Dataset '/data/set57.yaml' error\nno key 'names' 57"),
        Raised("Exception: Dataset not found 57"),
        Raised("FileNotFoundError: train57: images not found, missing path '/data/val57'"),
        Raised("AssertionError: train: No labels found in /data/labels57.cache. Can not train without labels."),
    ),
)

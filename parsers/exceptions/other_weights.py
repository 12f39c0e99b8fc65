"""Weights that are no pickle, where a model is built: a file of another program's was named as the checkpoint."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.other_weights",
    writer="CPython's pickle, as torch.load calls it",
    types=(r"UnpicklingError$",),
    says=(r"^invalid load key, ",),
    frames=(
        r"/(?:models?|backbones?|networks?|nets?)/[\w/]{1,80}\.py\b",
        r"\b(?:load|restore)_(?:weights?|model|checkpoint|ckpt|pretrained|state)\w{0,20}$",
        r"\bbuild_?model",
    ),
    cls=FailureClass.CONFIG,
    weight=67,
    title="the weights that were named are of another format",
    note="A file of Darknet's or TensorFlow's, a pointer of Git LFS, or a page that was saved in its place.",
    samples=(
        Raised("_pickle.UnpicklingError: invalid load key, '\\x57'.", ("/opt/job/models/detector57.py __init__",)),
        Raised("_pickle.UnpicklingError: invalid load key, 'v'.", ("/opt/job/train57.py load_checkpoint",)),
        Raised("_pickle.UnpicklingError: invalid load key, '<'.", ("/opt/job/build_model57.py __init__",)),
    ),
)

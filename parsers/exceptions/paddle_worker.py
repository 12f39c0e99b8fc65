"""What a worker of Paddle's loader raised and the loader raises anew: the inner traceback stands in one line."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.paddle_worker",
    writer="Paddle 2, paddle/io/dataloader/worker.py",
    says=(r"^['\"]?DataLoader worker\(\d{1,4}\) caught \w{1,60} with message:\\n",),
    cls=FailureClass.DATA,
    weight=57,
    title="reading a sample failed",
    samples=(
        Raised(
            "KeyError: 'DataLoader worker(1) caught KeyError with message:\\nTraceback (most recent call last):\\n  File \"/opt/job/kitti57.py\", line 5'"
        ),
    ),
)

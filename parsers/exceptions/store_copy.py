"""A copy to or from an object store that lost a file on its way: listed a moment before, gone when it was read."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass

KIND = ExceptionKind(
    name="exception.store_copy",
    writer="ModelArts' moxing/framework/file, its parallel copy",
    types=(r"^FileNotFoundError$",),
    frames=(r"moxing[./]framework[./]file",),
    cls=FailureClass.STORAGE_IO,
    weight=63,
    title="a copy to or from the object store failed",
    samples=(
        Raised(
            "FileNotFoundError: [Errno 2] No such file or directory: '/cache/run57/net57-7.ckpt'",
            ("moxing/framework/file/file_io.py _copy_by_counter", "/usr/lib/python3.7/shutil.py copyfile"),
        ),
    ),
)

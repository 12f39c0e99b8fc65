"""Archives that were not written to their end, as their readers say it in words of their own."""

from __future__ import annotations

from logtui.parsers.exceptions.declaration import ExceptionKind, Raised
from logtui.parsers.pattern import FailureClass
from logtui.parsers.remedies import BAD_FILE

KIND = ExceptionKind(
    name="exception.incomplete_archive",
    writer="readers of zip archives by their last record: Inspect AI's async_zip, remotezip, libzip's bindings, jobs' own",
    says=(
        r"\bEOCD\b.{0,20}\bnot found|[Ee]nd[- ]of[- ]central[- ]directory (?:record |signature )?(?:was )?not found",
        r"[Bb]ad magic number for (?:file header|central directory)",
    ),
    cls=FailureClass.DATA,
    weight=60,
    title="an archive is not complete",
    advice=BAD_FILE,
    samples=(
        Raised("ValueError: EOCD not found"),
        Raised("RuntimeError: end of central directory signature not found in shard57.zip"),
        Raised("OSError: Bad magic number for central directory"),
    ),
)

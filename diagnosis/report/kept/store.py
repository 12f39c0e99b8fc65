"""The report that was made on the same files, with the same options, by the same program: found again, not made again.

A wrong one would be worse than none. It is kept only where nothing about it is in doubt, and shown only where the
digest of everything it depends on is still the same.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from logtui.diagnosis.report.kept.key import Look, Part, key_of, last_change_ns
from logtui.parsers.errors import SourceError
from logtui.parsers.files.fingerprint import take
from logtui.parsers.files.listing import Listing, list_files
from logtui.parsers.files.sealed import Damaged
from logtui.parsers.scan import cache_files

if TYPE_CHECKING:  # whoever only looks whether anything changed needs no report
    from logtui.diagnosis.model.report import Report
    from logtui.diagnosis.options import Options
    from logtui.diagnosis.report.kept.report_file import KeptReport

LEAST_BYTES = 16 << 20
"""Of logs; fewer are read and judged again before anybody has noticed."""
_OS_REASONS = frozenset(os.strerror(number) for number in errno.errorcode)
SETTLED_NS = 2_000_000_000
"""A file that was written so shortly before could have been written again within the grain of its times."""


class ReportStore:
    """Keeps and finds the report on some paths."""

    def __init__(
        self,
        paths: Sequence[Path],
        compared: Sequence[Path],
        settings: Sequence[Part],
        look: Look | None = None,
        within: Sequence[Path] = (),
    ) -> None:
        """`compared` are paths of a healthy run; `settings` is whatever else the report depends on.

        With `look`, that of another store with the same arguments, no file is looked at until its name is wanted.

        Raises:
            SourceError: if a path is missing or cannot be listed.
        """
        self._paths, self._compared, self._within = tuple(paths), tuple(compared), tuple(within)
        given = [(str(path), str(path.absolute())) for path in (*paths, Path(), *compared)]
        self._settings = (*settings, *(part for pair in given for part in pair), len(paths))
        name = blake2b(repr(self._settings).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
        self._path = cache_files.kept_directory() / f"{name}{cache_files.REPORT}"
        self._look = look
        self._looked_ns = time.time_ns() if look is None else look.at_ns
        if look is None:
            _ = self._listings

    @cached_property
    def _listings(self) -> list[Listing]:
        return self._listed()

    def _listed(self) -> list[Listing]:
        return [list_files(paths, self._within) for paths in (self._paths, self._compared)]

    @property
    def listing(self) -> Listing:
        """The files that are to be read."""
        return self._listings[0]

    @cached_property
    def _key(self) -> str:
        """Of the files as they were before anything was read."""
        return key_of(self._settings, self._listings) if self._look is None else self._look.key

    def look(self) -> Look | None:
        """How the files are, for a store of another process; None where there is too little to read."""
        if not self.is_worth_it:
            return None
        try:
            with cache_files.opened(self._path) as (header, _):
                found = header["key"] == self._key
        except (OSError, Damaged):
            found = False
        return Look(self._looked_ns, self._key, found)

    @property
    def is_worth_it(self) -> bool:
        """Whether there is enough to read."""
        return self._look is not None or self.listing.bytes >= LEAST_BYTES

    def load(self) -> KeptReport | None:
        """The kept report, if everything is as it was."""
        if not (self.is_worth_it and self._path.exists()):
            return None
        from logtui.diagnosis.report.kept import report_file

        try:
            kept = report_file.read(self._path, self._key)
        except Damaged:
            with suppress(OSError):
                self._path.unlink()
            return None
        except OSError:
            return None
        if kept is not None:
            with suppress(OSError):
                os.utime(self._path)
        return kept

    def begin(self) -> None:
        """Note how the files are now; call it before they are read."""
        if self.is_worth_it:
            _ = self._key

    def save(self, kept: KeptReport) -> bool:
        """Keep a report on all that was read; whether that was done. Never fails.

        Not kept: what changed while it was read, and what would not come back letter by letter.
        """
        if not self.is_worth_it or self._is_doubtful(kept.report) or not self._is_settled():
            return False
        from logtui.diagnosis.report.kept import report_file

        kept = replace(kept, report=replace(kept.report, revisions=()))  # of a reading that there is not next time
        try:
            text = report_file.to_text(kept)
            fits = len(text) <= report_file.MOST_BYTES and _comes_back(kept.report, text)
        except ValueError:  # of another shape, or no text
            return False
        if not fits:
            return False
        return cache_files.keep(self._path, lambda out: report_file.write(out, self._key, text, kept.case))

    def _is_doubtful(self, report: Report) -> bool:
        """Whether the next reading may be a better one: of a file that can be opened, and failed this time."""
        if report.provisional or report.verification.failed:
            return True
        failed = {name for name, why in report.coverage.files_unread if any(reason in why for reason in _OS_REASONS)}
        openable = (f for listing in self._listed() for f in listing.files if f.name in failed)
        return any(take(f.path, f.info.st_size) is not None for f in openable)

    def _is_settled(self) -> bool:
        try:
            now = self._listed()
        except SourceError:
            return False
        settled = last_change_ns(now) < self._looked_ns - SETTLED_NS
        return settled and key_of(self._settings, now) == self._key


def store_for(paths: Sequence[Path], options: Options, look: Look | None = None) -> ReportStore:
    """The store of the report on some paths with some options.

    Raises:
        SourceError: if a path is missing or cannot be listed.
    """
    settings = (options.engine, options.offset_s, len(options.ais), *map(str, options.within))
    return ReportStore([*paths, *options.ais], options.baseline, settings, look, options.within)


def _comes_back(report: Report, text: bytes) -> bool:
    """Whether the report in a text is, letter by letter, what it was.

    Raises:
        NotThatShape: if it is none.
    """
    from logtui.diagnosis.report import json_report, markdown
    from logtui.diagnosis.report.codec import encode
    from logtui.diagnosis.report.kept import report_file

    again = report_file.report_in(text)
    if again == report and encode(again) == encode(report):  # 3 is 3.0, but does not read so
        return True
    return all(write(again) == write(report) for write in (json_report.dumps, markdown.render))

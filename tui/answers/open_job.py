"""One job as it is asked about: its report, its lines, and nothing outside the paths that were given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.options import Options
from logtui.diagnosis.session.opening import Analysis, analyse_whole
from logtui.parsers.errors import LogtuiError
from logtui.parsers.files.case import Case
from logtui.parsers.prefix.stamp import stamp_near
from logtui.parsers.source import LogFile
from logtui.tui.answers.confinement import Confinement, OutsideRefused
from logtui.tui.shared.case_view import CaseView


class NotAnswerable(LogtuiError):
    """A question about something that is not there, or that cannot be read so; the message says what can."""


@dataclass(frozen=True)
class OpenJob:
    """A job that was read."""

    analysis: Analysis
    confinement: Confinement

    @cached_property
    def view(self) -> CaseView:
        """What the screens look up too."""
        found = self.analysis
        return CaseView(
            found.report, found.case, found.daemons, found.dumps, found.compare, facts=found.facts, marks=found.marks
        )

    @property
    def case(self) -> Case:
        """Its files."""
        return self.analysis.case

    @cached_property
    def report(self) -> dict[str, Any]:
        """The report as `--json` prints it."""
        from logtui.diagnosis.report.json_report import as_dict

        return as_dict(self.analysis.report)

    def file(self, name: str) -> LogFile:
        """A file by the name the report uses.

        Raises:
            NotAnswerable: if it is none of the files that were read.
            OutsideRefused: if it leads outside by now.
        """
        file = self.case.file_named(name)
        if file is None:
            raise NotAnswerable(f"{name}: no file of this job; they are named as in the report: {self._some_names()}")
        if not self.confinement.holds(file.path):
            raise OutsideRefused(name)
        return file

    def _some_names(self) -> str:
        names = [file.name for file in self.case.files]
        return ", ".join(names[:6]) + (f", … ({len(names)} in all)" if len(names) > 6 else "")

    @cached_property
    def moment(self) -> float | None:
        """When it went wrong, as far as is known; seconds since the epoch."""
        last = next((event.time for event in reversed(self.view.events) if event.time is not None), None)
        proof = self.analysis.report.verdict.first_evidence
        if proof is None or proof.time is not None:
            return proof.time if proof is not None else last
        stamp = stamp_near(proof.text, last or 0.0)
        return stamp.epoch if stamp else last


def open_job(paths: Sequence[Path], confinement: Confinement, jobs: int | None = None) -> OpenJob:
    """Read and diagnose what lies below some paths inside the confinement.

    Raises:
        SourceError: if nothing there can be read.
    """
    options = Options(jobs=jobs, within=confinement.roots, closer=True)
    return OpenJob(analyse_whole(paths, options), confinement)


def cited(evidence: Evidence | None) -> dict[str, Any] | None:
    """A line with its place, as answers have it."""
    if evidence is None:
        return None
    return {"at": evidence.place, "text": evidence.text, "time": evidence.iso_time}

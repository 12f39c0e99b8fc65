"""Cases from text: each test writes the lines it is about and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from logtui.diagnosis.facts import Facts
from logtui.diagnosis.report import Report
from logtui.diagnosis.session import analyse_whole
from logtui.parsers.case import Case

MakeCase = Callable[[Mapping[str, str]], Case]


@pytest.fixture
def make_case(tmp_path: Path) -> MakeCase:
    """Write files below a directory and read them: name → text."""

    def make(files: Mapping[str, str]) -> Case:
        for name, text in files.items():
            path = tmp_path / "logs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return analyse_whole([tmp_path / "logs"]).case

    return make


@pytest.fixture
def make_facts(make_case: MakeCase) -> Callable[[Mapping[str, str]], Facts]:
    """The facts of some files."""
    return lambda files: Facts(make_case(files))


@pytest.fixture
def make_report(tmp_path: Path) -> Callable[[Mapping[str, str]], Report]:
    """The whole report about some files."""

    def make(files: Mapping[str, str]) -> Report:
        for name, text in files.items():
            path = tmp_path / "logs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return analyse_whole([tmp_path / "logs"]).report

    return make

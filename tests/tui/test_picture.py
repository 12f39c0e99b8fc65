"""The picture for a ticket."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from logtui.tui.screens.export import KINDS, write_kind
from logtui.tui.screens.picture import picture
from logtui.tui.shared.case_view import CaseView

from .conftest import Job

TEXT = "{http://www.w3.org/2000/svg}text"


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(TEXT)]


def test_every_rank_the_verdict_and_what_was_written_when_are_in_it(view: CaseView) -> None:
    said = texts(picture(view))
    assert "".join(said).count("■") == 127 + 1  # the legend
    assert "◆ never entered 1" in said
    assert any(view.report.verdict.title in words for words in said)
    assert {"worker", "nccl", "launcher", "stuck"} <= set(said)


def test_words_of_logs_are_no_markup(view: CaseView) -> None:
    verdict = replace(view.report.verdict, title="<script>&'\x1b[31m")
    svg = picture(CaseView(replace(view.report, verdict=verdict), view.case))
    assert "<script" not in svg
    assert any("<script>&'" in words for words in texts(svg))
    assert "href" not in svg


def test_large_jobs_stay_a_picture(job_of: Callable[[int], Job]) -> None:
    job = job_of(64)
    assert len(picture(CaseView(job.report, job.case))) < 200_000


def test_it_is_written_beside_the_other_kinds(view: CaseView, tmp_path: Path) -> None:
    kind = next(kind for kind in KINDS if kind.suffix == ".svg")
    path = write_kind(tmp_path, kind, view, ())
    assert path.name == "logtui-report-4821.svg"
    assert path.read_text().startswith("<svg ")

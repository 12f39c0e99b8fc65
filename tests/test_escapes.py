"""Nothing of hostile logs, names, dumps and case files speaks through what is written, or through what agents are told."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hostile_job import acting, forge_case, texts_of, write_hostile_job

from logtui.diagnosis.session.opening import Analysis, Options, analyse_whole
from logtui.parsers.files.zstd import unpacking
from logtui.tui import cli
from logtui.tui.screens.export import KINDS, Kind, write_kind
from logtui.tui.shared.case_view import CaseView


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_hostile_job(tmp_path_factory.mktemp("job") / "logs")


@pytest.fixture(scope="module")
def forged(job: Path) -> Path:
    """A case file of it, whose report was changed."""
    path = job.parent / "job.tar.zst"
    assert cli.main([str(job), "--case", str(path), "--no-cache"]) == 1
    return forge_case(path, job.parent / "forged.tar.zst")


@pytest.fixture(scope="module", params=["logs", "case file"])
def analysis(request: pytest.FixtureRequest, job: Path, forged: Path) -> Iterator[Analysis]:
    found = analyse_whole([job if request.param == "logs" else forged], Options(no_cache=True, jobs=1))
    yield found
    found.case.close()


@pytest.fixture
def view(analysis: Analysis) -> CaseView:
    a = analysis
    return CaseView(a.report, a.case, a.daemons, a.dumps, a.compare, a.facts, a.marks)


def _members(path: Path) -> dict[str, str]:
    """The texts for people and programs in a file that was written; lines of logs stay as they are in a case file."""
    if path.suffix != ".zst":
        return {path.name: path.read_text(encoding="utf-8")}
    with path.open("rb") as raw, tarfile.open(fileobj=io.BytesIO(unpacking(raw).read())) as tar:
        held = {info.name: tar.extractfile(info) for info in tar if info.name.endswith((".json", ".md"))}
        return {name: file.read().decode() for name, file in held.items() if file}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.words)
def test_what_is_written(view: CaseView, tmp_path: Path, kind: Kind) -> None:
    assert view.dumps is not None, "the dumps were read"
    assert view.report.coverage.files_unread == ()
    members = _members(write_kind(tmp_path, kind, view, ()))
    for name, text in members.items():
        assert acting(text) == [], name
        if name.endswith(".json"):
            assert [acting(held) for held in texts_of(json.loads(text)) if acting(held)] == [], name
        elif name.endswith(".svg"):
            parts = {(part.tag.rpartition("}")[2], *part.attrib) for part in ElementTree.fromstring(text).iter()}
            assert {tag for tag, *_ in parts} == {"svg", "rect", "text"}
            assert not any(named.startswith("on") or "href" in named for _, *names in parts for named in names)
    assert kind.suffix == ".svg" or any("owned" in text for text in members.values()), "as hostile as it should be"

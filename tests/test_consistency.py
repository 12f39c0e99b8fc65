"""No report contradicts itself, its texts, its exit status or the lines it cites: demos, faults, and what corpus there is."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from consistency import (
    Invariant,
    Json,
    Told,
    advice_has_its_line,
    breaches,
    causes_come_first,
    cited_lines_say_so,
    coverage_adds_up,
    culprits_are_ranks,
    inherited_times_are_marked,
    nothing_read_is_missing,
    numbers_agree,
    states_agree,
    texts_agree,
    the_healthy_are_well,
    the_proof_is_shown,
    the_timeline_is_in_order,
    titles_name_the_culprits,
)

from logtui.diagnosis.session.opening import analyse_whole
from logtui.parsers.errors import SourceError
from logtui.parsers.generator import DEMOS, Fault, JobSpec, generate
from logtui.tui.cli import status_of

CORPUS = Path(os.environ.get("LOGTUI_CORPUS") or Path(__file__).resolve().parents[2] / "shared/corpus")
GIVEN = [p for kind in ("incidents", "mission") for p in sorted(CORPUS.glob(f"{kind}/*")) if p.is_dir()]
_JOB = JobSpec(world_size=16, culprits=(5,), pytorch="2.7", tensor_parallel=2)
WRITTEN = {f"demo {name}": spec for name, spec in DEMOS.items()} | {
    f"fault {fault.value}": replace(_JOB, fault=fault) for fault in Fault
}


def _breaches(folder: Path) -> list[str]:
    analysis = analyse_whole([folder])
    try:
        return list(breaches(Told(analysis, status_of(analysis.report))))
    finally:
        analysis.case.close()


@pytest.mark.parametrize("name", WRITTEN)
def test_a_written_job(name: str, tmp_path: Path) -> None:
    generate(WRITTEN[name], tmp_path)
    assert _breaches(tmp_path) == []


# -- The invariants see what they are for: a sound report, made to contradict itself


def _swap_chain(report: Json) -> None:
    first, *_, last = report["chain"]
    first["time"], last["time"] = last["time"], first["time"]


def _undate(report: Json) -> None:
    report["timeline"][0].update(time=None, time_from="unknown")


def _unmark(report: Json) -> None:
    shown = next(t for t in report["timeline"] if t["proof"])
    shown["time_from"] = "line before"


DOCTORED: dict[str, tuple[Invariant, Callable[[Json], object]]] = {
    "another text": (cited_lines_say_so, lambda r: r["verdict"]["first_evidence"].update(text="never written")),
    "no proof": (the_proof_is_shown, lambda r: r["timeline"].clear()),
    "undated first": (the_timeline_is_in_order, _undate),
    "backwards": (the_timeline_is_in_order, lambda r: r["timeline"].reverse()),
    "effect first": (causes_come_first, _swap_chain),
    "unmarked": (inherited_times_are_marked, _unmark),
    "unknown culprit": (culprits_are_ranks, lambda r: r["verdict"]["culprit_ranks"].append(99)),
    "culprit inside": (states_agree, lambda r: r["ranks"][5].update(status="waiting")),
    "another culprit": (titles_name_the_culprits, lambda r: r["verdict"].update(culprit_ranks=[6])),
    "another count": (numbers_agree, lambda r: r["chain"][0].update(what="7 ranks wait in ALLREDUCE #9 of default_pg")),
    "too many lines": (coverage_adds_up, lambda r: r["coverage"].update(lines_unparsed=10**9)),
    "healthy": (the_healthy_are_well, lambda r: r["verdict"].update({"class": "healthy"})),
    "nothing cited": (advice_has_its_line, lambda r: r["recommendations"][0].update(what="the cited path", because=[])),
    "read already": (nothing_read_is_missing, lambda r: r["verdict"]["missing"].append("the log of rank 5")),
    "another verdict": (texts_agree, lambda r: r["verdict"].update(culprit_ranks=[6])),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """A job of which nothing is contradicted."""
    folder = tmp_path_factory.mktemp("sound")
    generate(replace(_JOB, fault=Fault.DATA_STALL), folder)
    analysis = analyse_whole([folder])
    return Told(analysis, status_of(analysis.report))


@pytest.mark.parametrize("name", DOCTORED)
def test_an_invariant_sees_its_breach(sound: Told, name: str) -> None:
    invariant, doctor = DOCTORED[name]
    assert list(invariant(sound)) == []
    other = Told(sound.analysis, sound.status)
    doctor(other.json)
    assert list(invariant(other))


@pytest.mark.parametrize("folder", GIVEN, ids=lambda p: f"{p.parent.name}-{p.name}")
def test_a_given_case(folder: Path, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "truth.json":
            (logs / path.relative_to(folder)).parent.mkdir(parents=True, exist_ok=True)
            (logs / path.relative_to(folder)).symlink_to(path)
    try:
        assert _breaches(logs) == []
    except SourceError:
        pytest.skip("nothing in it is read")

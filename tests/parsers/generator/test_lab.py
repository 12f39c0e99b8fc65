"""Jobs of the lab: bytes follow from the spec, records look like those of real clusters, all lines are known ones."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from lab_templates import Template, templates

from logtui.parsers.generator import DEMOS
from logtui.parsers.generator.aistore.daemons import write_daemons
from logtui.parsers.generator.aistore.spec import VERSIONS, Packing
from logtui.parsers.generator.faults.storage import cluster_of
from logtui.parsers.generator.lab.job import ERRORS, write_lab
from logtui.parsers.generator.lab.script import script
from logtui.parsers.generator.lab.spec import LabFault, LabSpec

CORPUS = Path(os.environ.get("LOGTUI_CORPUS") or Path(__file__).resolve().parents[4] / "shared/corpus")
CAPTURES = sorted((CORPUS / "aistore-lab").glob("*/ais_logs"))
OLD, NEW = "4.1", "5.0"
"""The releases that captures are of."""
MOST_FREQUENT = 40


@pytest.fixture(scope="module")
def emitted(tmp_path_factory: pytest.TempPathFactory) -> Counter[Template]:
    """What the generator writes for both releases, over all faults."""
    root, found = tmp_path_factory.mktemp("lab"), Counter[Template]()
    for version in (OLD, NEW):
        for fault in LabFault:
            write_lab(LabSpec(fault, version), root / f"{fault}-{version}")
            found += templates(root / f"{fault}-{version}")
    return found


@pytest.mark.skipif(not CAPTURES, reason="no captures of real clusters here (LOGTUI_CORPUS)")
def test_records_look_like_those_of_real_clusters(emitted: Counter[Template]) -> None:
    real = sum((templates(c.parent) for c in CAPTURES), Counter[Template]())
    frequent = [t for t, _ in real.most_common(MOST_FREQUENT)]
    assert [t for t in frequent if t not in emitted] == []
    known = sum(n for t, n in real.items() if t in emitted)
    assert known >= 0.95 * real.total(), "of all real records"


@pytest.mark.skipif(not CAPTURES, reason="no captures of real clusters here (LOGTUI_CORPUS)")
def test_a_healthy_cluster_says_nothing_that_no_real_one_says(tmp_path: Path) -> None:
    real = sum((templates(c.parent) for c in CAPTURES), Counter[Template]())
    for version in (OLD, NEW):
        write_lab(LabSpec(LabFault.HEALTHY, version), tmp_path / version)
        assert [t for t in templates(tmp_path / version) if t not in real] == []


@pytest.mark.skipif(not CAPTURES, reason="no captures of real clusters here (LOGTUI_CORPUS)")
def test_the_demos_cluster_looks_like_real_ones(tmp_path: Path) -> None:
    real = sum((templates(c.parent) for c in CAPTURES), Counter[Template]())
    write_daemons(replace(cluster_of(DEMOS["storage"]), packing=Packing.ARCHIVES), tmp_path / "ais_logs")
    shown = templates(tmp_path)
    calm = [t for t in shown if t[0] == "I"]
    assert len([t for t in calm if t in real]) >= 0.9 * len(calm), "the disks' trouble is in no capture"


@pytest.mark.parametrize("version", VERSIONS)
def test_equal_specs_give_equal_bytes(tmp_path: Path, version: str) -> None:
    for name in ("a", "b"):
        write_lab(LabSpec(LabFault.KILLED, version), tmp_path / name)
    assert dict(_bytes(tmp_path / "a")) == dict(_bytes(tmp_path / "b"))


def _bytes(root: Path) -> Iterator[tuple[Path, bytes]]:
    for path in sorted(p for p in root.rglob("*") if p.is_file()):
        yield path.relative_to(root), path.read_bytes()


@pytest.mark.parametrize(
    ("words", "since", "until"),
    [
        ("sbr_proto_hdr:[err: ", "4.1", "4.4"),
        ("sbr_proto_hdr:[ctx: n=", "4.6", "5.0"),
        ("excluding loopback IP", "4.1", "4.2"),
        ("cgroup #: found", "4.4", "5.0"),
        ("share the same IP/host", "5.0", "5.0"),
        ("resource pressure: load=critical", "4.1", "4.4"),
        ("bcast abort", "4.6", "5.0"),
        ("idle expired [ t[…]:[reqs:", "4.6", "5.0"),
    ],
)
def test_releases_have_words_of_their_own(tmp_path: Path, words: str, since: str, until: str) -> None:
    for version in VERSIONS:
        write_lab(LabSpec(LabFault.KILLED, version, after_s=220), tmp_path / version)
        said = any(words in text for _, _, text in templates(tmp_path / version))
        assert said == (since <= version <= until), version


@pytest.mark.parametrize("fault", LabFault)
def test_the_first_bad_lines_are_where_the_truth_says(tmp_path: Path, fault: LabFault) -> None:
    truth = write_lab(LabSpec(fault), tmp_path)
    lines = (tmp_path / ERRORS).read_text().splitlines()
    assert bool(truth.first) == (truth.classes[0] != "healthy")
    for _, number in truth.first:
        assert any(word in lines[number - 1] for word in ("WARNING", "ERROR", "Error:"))


def test_a_scene_refuses_what_is_no_row() -> None:
    with pytest.raises(ValueError, match="no row of a scene"):
        script("0.000 t * F moss:1 fatal records are errors")


@pytest.mark.parametrize(
    ("version", "before_s", "ranks", "targets"),
    [("3.9", 80, 4, 4), ("5.0", 10, 4, 4), ("5.0", 80, 1, 4), ("5.0", 80, 4, 1)],
)
def test_a_spec_refuses_what_cannot_be_written(version: str, before_s: float, ranks: int, targets: int) -> None:
    with pytest.raises(ValueError, match=r"is not one of|needs"):
        LabSpec(version=version, before_s=before_s, ranks=ranks, targets=targets)

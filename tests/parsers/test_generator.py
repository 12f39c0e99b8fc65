"""Whole jobs: their truth holds on disk, and equal specs give equal bytes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from logtui.parsers.generator import DEMOS, Fault, JobSpec, Truth, demo_directory, generate


def lines_of(directory: Path, file: str) -> list[str]:
    """A written file's lines as a reader counts them."""
    return (directory / file).read_bytes().decode().split("\n")


def check_places(directory: Path, truth: Truth) -> None:
    """Every line that the truth names holds what the truth says."""
    for mark, place in truth.places.items():
        assert place.text in lines_of(directory, place.file)[place.line - 1], mark


def digest(directory: Path) -> dict[str, bytes]:
    """The bytes of every file below a directory."""
    return {str(p.relative_to(directory)): p.read_bytes() for p in sorted(directory.rglob("*")) if p.is_file()}


@pytest.mark.parametrize("name", list(DEMOS))
def test_demo_is_written_once(name: str, tmp_path: Path) -> None:
    first = demo_directory(name, tmp_path)
    before = {p: p.stat().st_mtime_ns for p in first.rglob("*")}
    assert demo_directory(name, tmp_path) == first
    assert {p: p.stat().st_mtime_ns for p in first.rglob("*")} == before
    assert [p for p in tmp_path.iterdir() if p != first] == []


def test_classic_blames_rank_57(tmp_path: Path) -> None:
    truth = generate(DEMOS["classic"], tmp_path)
    assert truth.culprit_ranks == (57,)
    assert truth.culprit_hosts == ("node007",)
    assert len(truth.watchdog_ranks) == 127
    assert truth.observed_ranks == (57,)
    assert truth.nccl_state[57].enqueued == truth.nccl_state[57].completed == 1233
    assert (truth.nccl_state[0].enqueued, truth.nccl_state[0].completed) == (1234, 1233)
    check_places(tmp_path, truth)


def test_equal_specs_give_equal_bytes(tmp_path: Path) -> None:
    spec = JobSpec(fault=Fault.EXCEPTION_ONE_RANK, world_size=16, seed=11, size_bytes=1_000_000)
    generate(spec, tmp_path / "a")
    generate(spec, tmp_path / "b")
    assert digest(tmp_path / "a") == digest(tmp_path / "b")
    generate(replace(spec, seed=12), tmp_path / "c")
    assert digest(tmp_path / "c") != digest(tmp_path / "a")


@pytest.mark.parametrize("target", [2_000_000, 20_000_000])
def test_size_is_reached(target: int, tmp_path: Path) -> None:
    truth = generate(replace(DEMOS["classic"], size_bytes=target), tmp_path)
    assert truth.bytes == sum(p.stat().st_size for p in tmp_path.rglob("*") if p.is_file())
    assert abs(truth.bytes - target) < target / 10
    check_places(tmp_path, truth)

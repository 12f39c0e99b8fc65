"""Whole jobs: their truth holds on disk, and equal specs give equal bytes."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from logtui.parsers.files.discover import read_name
from logtui.parsers.generator import (
    DEMOS,
    VERSIONS,
    Fault,
    Framework,
    JobSpec,
    Layout,
    Survivors,
    Truth,
    demo_directory,
    generate,
)
from logtui.parsers.generator.__main__ import main, size
from logtui.parsers.pattern import FailureClass


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


GROUPED = (Framework.MEGATRON, Framework.NEMO)
STALLS = [Fault.DATA_STALL, Fault.STRAGGLER_USER_CODE, Fault.BROADCAST_ROOT_AHEAD, Fault.CHAIN]
UNBORN = (Fault.RENDEZVOUS_TIMEOUT, Fault.PORT_IN_USE, Fault.BAD_MOUNT)
HANGS = [*STALLS, Fault.STRAGGLER_BEHIND, Fault.FABRIC, Fault.MISMATCH]


def job(fault: Fault, layout: Layout, version: str = "2.7", framework: Framework = Framework.PLAIN) -> JobSpec:
    """A small job of several nodes, with groups where the framework makes them."""
    if fault is Fault.CHAIN and framework not in GROUPED:
        framework = Framework.MEGATRON
    tp, pp = (2, 2) if framework in GROUPED else (1, 1)
    return JobSpec(
        fault=fault, world_size=16, gpus_per_node=4, pytorch=version, framework=framework, layout=layout, seed=7, seq=80,
        culprits=(6,), tensor_parallel=tp, pipeline_parallel=pp,
    )  # fmt: skip


@pytest.mark.parametrize("layout", list(Layout))
@pytest.mark.parametrize("fault", list(Fault))
def test_every_fault_in_every_layout(fault: Fault, layout: Layout, tmp_path: Path) -> None:
    for version, framework in zip(("1.12", "2.1", "2.3", "2.6", "2.10", "2.14"), Framework, strict=True):
        directory = tmp_path / version
        truth = generate(job(fault, layout, version, framework), directory)
        check_places(directory, truth)
        assert set(truth.files) == {p.relative_to(directory).as_posix() for p in directory.rglob("*") if p.is_file()}
        assert (truth.first_bad_line is None) == (fault is Fault.HEALTHY)
        assert (truth.cls is FailureClass.HEALTHY) == (fault is Fault.HEALTHY)
        assert truth.last_step == (None if fault in UNBORN else 19)


def text_of(directory: Path) -> str:
    """All files of a job."""
    return "\n".join(p.read_bytes().decode() for p in sorted(directory.rglob("*")) if p.is_file())


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("fault", HANGS)
def test_watchdogs_of_a_hang(fault: Fault, version: str, tmp_path: Path) -> None:
    truth = generate(job(fault, Layout.MERGED, version), tmp_path)
    late = (6,) if fault in STALLS else ()
    silent_pipe = fault is Fault.CHAIN and version in ("1.12", "1.13", "2.0", "2.1")  # recv was not watched
    if not silent_pipe:
        assert truth.watchdog_ranks == tuple(r for r in range(16) if r not in late)
    observes = late if JobSpec(pytorch=version).version >= (2, 4) else ()
    assert truth.observed_ranks == observes
    states = JobSpec(pytorch=version).version >= (2, 3)
    assert set(truth.nccl_state) == (set(range(16)) if states else set())


@pytest.mark.parametrize("version", [v for v in VERSIONS if JobSpec(pytorch=v).version >= (2, 6)])
def test_counters_are_those_of_the_status_lines(version: str, tmp_path: Path) -> None:
    truth = generate(job(Fault.STRAGGLER_BEHIND, Layout.MERGED, version), tmp_path)
    found = re.findall(
        r"\[rank(\d+)\]:.*failure detected by watchdog at work sequence id: (\d+) PG status: last enqueued work: (\d+), "
        r"(?:last started work: -1, )?last completed work: (\d+)",
        text_of(tmp_path),
    )
    counted = {int(r): (int(seq), int(e), int(c)) for r, seq, e, c in found}
    assert {r: (s.enqueued, s.completed) for r, s in truth.nccl_state.items()} == {r: v[1:] for r, v in counted.items()}
    first = {r: seq for r, (seq, _, _) in counted.items()}
    assert [r for r in first if first[r] == min(first.values())] == [6]


def test_ranks_that_run_ahead(tmp_path: Path) -> None:
    truth = generate(replace(job(Fault.DATA_STALL, Layout.PER_NODE), ahead=3), tmp_path)
    assert sum(s.enqueued > 80 for s in truth.nccl_state.values()) == 3


def test_the_chain_goes_through_several_groups(tmp_path: Path) -> None:
    truth = generate(job(Fault.CHAIN, Layout.MERGED), tmp_path)
    kinds = {r: truth.nccl_state[r].pg.partition("_")[0] for r in truth.watchdog_ranks}
    assert set(kinds.values()) == {"TENSOR", "PIPELINE", "DATA"}
    assert [r for r, k in kinds.items() if k == "TENSOR"] == [7]
    assert truth.observed_ranks == (6,)


def test_file_order_is_not_rank_order(tmp_path: Path) -> None:
    truth = generate(job(Fault.DATA_STALL, Layout.PER_NODE), tmp_path)
    order = [truth.hosts[node * 4] for node in range(4)]
    assert order != sorted(order)
    generate(replace(job(Fault.DATA_STALL, Layout.PER_NODE), elastic=False), tmp_path / "static")
    assert "rank 0/16" in (tmp_path / "static" / "error-4821-0.out").read_text()


@pytest.mark.parametrize("survivors", list(Survivors))
def test_survivors_of_a_crash(survivors: Survivors, tmp_path: Path) -> None:
    spec = replace(job(Fault.EXCEPTION_ONE_RANK, Layout.PER_NODE), survivors=survivors)
    truth = generate(spec, tmp_path)
    assert len(truth.watchdog_ranks) == (12 if survivors is Survivors.TIMEOUT else 0)
    text = text_of(tmp_path)
    assert ("Received 15 death signal" in text) == (survivors is Survivors.TERMINATED)
    assert text.count("Root Cause (first observed failure)") == (4 if survivors is Survivors.TIMEOUT else 1)


@pytest.mark.parametrize(("version", "listed"), [("2.9", 0), ("2.10", 3)])
def test_sigterm_victims_in_the_failure_block(version: str, listed: int, tmp_path: Path) -> None:
    spec = replace(job(Fault.SIGKILL, Layout.PER_NODE, version), survivors=Survivors.TERMINATED)
    generate(spec, tmp_path)
    assert text_of(tmp_path).count("Signal 15 (SIGTERM) received by PID") == listed


def test_restart_has_two_attempts(tmp_path: Path) -> None:
    truth = generate(job(Fault.RESTART_THEN_FAIL, Layout.TORCHRUN_TREE), tmp_path)
    assert truth.first_bad_line is not None and "/attempt_1/" in truth.first_bad_line.file
    assert any("/attempt_0/" in f for f in truth.files)


def test_slow_from_the_step_asked_for(tmp_path: Path) -> None:
    spec = replace(job(Fault.SLOW, Layout.MERGED, framework=Framework.MEGATRON), slow_from=12, slow_ratio=4.0)
    truth = generate(spec, tmp_path)
    took = [float(ms) for ms in re.findall(r"elapsed time per iteration \(ms\): ([\d.]+)", text_of(tmp_path))]
    assert truth.first_bad_line is not None and "iteration       12/" in truth.first_bad_line.text
    assert max(took[1:11]) * 3.5 < min(took[11:])


def test_missing_node_leaves_no_file(tmp_path: Path) -> None:
    truth = generate(job(Fault.RENDEZVOUS_TIMEOUT, Layout.PER_NODE), tmp_path)
    index = int(truth.culprit_hosts[0].removeprefix("node"))
    assert f"error-4821-{index}.out" not in truth.files and len(truth.files) == 4


@pytest.mark.parametrize("layout", list(Layout))
def test_names_are_understood(layout: Layout, tmp_path: Path) -> None:
    truth = generate(job(Fault.DATA_STALL, layout), tmp_path)
    for name in truth.files:
        hints = read_name(name)
        match layout:
            case Layout.PER_NODE | Layout.TEE if not name.startswith("slurm"):
                assert hints.job == "4821" and hints.node is not None
            case Layout.TORCHRUN_TREE if not name.startswith("slurm"):
                assert hints.local_rank in range(4) and hints.attempt == 0


def test_no_noise_means_no_control_characters(tmp_path: Path) -> None:
    generate(replace(job(Fault.EXCEPTION_ONE_RANK, Layout.PER_NODE), noise=False), tmp_path / "quiet")
    generate(job(Fault.EXCEPTION_ONE_RANK, Layout.PER_NODE), tmp_path / "loud")
    assert not re.search(r"[\x00-\x09\x0b-\x1f]", text_of(tmp_path / "quiet"))
    assert "\r" in text_of(tmp_path / "loud") and "\x1b[" in text_of(tmp_path / "loud")


def test_records_of_neighbours_cut_each_other(tmp_path: Path) -> None:
    generate(replace(job(Fault.EXCEPTION_ONE_RANK, Layout.TEE), culprits=tuple(range(16))), tmp_path)
    ranks = [re.findall(r"\[rank(\d+)\]: ", (tmp_path / f"log-4821-{i}.out").read_text()) for i in range(4)]
    assert any(len(list(itertools.groupby(seen))) > len(set(seen)) for seen in ranks)


REFUSED = [
    ({"pytorch": "2.11"}, "not one of"),
    ({"world_size": 0}, "not within"),
    ({"world_size": 10, "tensor_parallel": 4}, "do not divide"),
    ({"culprits": (8,)}, "outside"),
    ({"fault": Fault.CHAIN}, "tensor_parallel"),
]


@pytest.mark.parametrize(("fields", "why"), REFUSED, ids=[w for _, w in REFUSED])
def test_impossible_jobs_are_refused(fields: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        replace(JobSpec(), **fields)  # type: ignore[arg-type]  # wrong values on purpose


def test_command_writes_job_and_truth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = tmp_path / "truth.json"
    arguments = ["--fault", "gpu_oom", "--world-size", "16", "--culprits", "3", "--size", "1MB", "--truth", str(truth)]
    assert main([str(tmp_path / "logs"), *arguments]) == 0
    said = json.loads(truth.read_text())
    assert said["class"] == "gpu-oom" and said["culprit_ranks"] == [3]
    assert "gpu-oom: rank 3 ran out of GPU memory" in capsys.readouterr().err
    assert sum(p.stat().st_size for p in (tmp_path / "logs").rglob("*") if p.is_file()) > 900_000


def test_command_refuses_impossible_jobs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "logs"), "--fault", "chain"]) == 2
    assert "tensor_parallel" in capsys.readouterr().err
    assert not (tmp_path / "logs").exists()


@pytest.mark.parametrize(("text", "count"), [("17", 17), ("2KiB", 2048), ("1GB", 10**9), ("1.5M", 1_500_000)])
def test_sizes(text: str, count: int) -> None:
    assert size(text) == count

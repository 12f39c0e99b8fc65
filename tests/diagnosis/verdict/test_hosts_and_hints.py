"""What else the files tell of a failure: the kernel's word and host, conditions that hamper, trouble that passed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


def steps(first: int, count: int, minute: int, seconds: int) -> str:
    """Megatron's own kind of line: step times in the text."""
    out = []
    for n in range(count):
        at = minute * 60 + n * seconds
        out.append(
            f"2026-11-21 04:{at // 60:02d}:{at % 60:02d},000 INFO train: step {first + n} loss 2.31 step_time {seconds}.000s\n"
        )
    return "".join(out)


RAISED = 'Traceback (most recent call last):\n  File "/opt/job/train.py", line 57, in main\n    main()\n'
XID = (
    "Nov 21 04:10:20 {host} kernel: [57.123456] NVRM: Xid (PCI:0000:91:00): 79, pid=4242, GPU has fallen off the bus.\n"
)
LANES = (
    "Nov 21 04:{m:02d}:05 node007 kernel: [57.123456] mlx5_core 0000:81:00.0: 31.506 Gb/s available PCIe bandwidth, limited by 16.0 "
    "GT/s PCIe x2 link at 0000:80:01.0 (capable of 252.048 Gb/s with 16.0 GT/s PCIe x16 link)\n"
)
UNKNOWN = RAISED + "RuntimeError: CUDA error: unknown error\n"


def test_the_kernel_names_the_host_of_what_a_program_reports(report_of: ReportOf) -> None:
    verdict = report_of(
        {"job.log": steps(0, 5, 10, 1) + UNKNOWN, "dmesg-node007.txt": XID.format(host="node007")}
    ).verdict
    assert verdict.culprit_hosts == ("node007",)
    assert "Xid 79, GPU fell off the PCIe bus" in verdict.title
    assert not any("Xid 79" in other.title for other in verdict.runners_up)


def test_two_hosts_whose_kernels_say_so_name_none(report_of: ReportOf) -> None:
    kernels = {f"dmesg-{host}.txt": XID.format(host=host) for host in ("node007", "node009")}
    assert "Xid" not in report_of({"job.log": steps(0, 5, 10, 1) + UNKNOWN, **kernels}).verdict.title.partition("; ")[2]


def test_a_slow_down_is_told_with_what_hampers_a_host_then(report_of: ReportOf) -> None:
    slow = steps(0, 60, 10, 1) + steps(60, 30, 11, 9)
    report = report_of({"job.log": slow, "dmesg-node007.txt": LANES.format(m=11)})
    assert (report.verdict.cls, report.verdict.culprit_hosts) == ("slow-training", ("node007",))
    assert "node007: a device runs with fewer PCIe lanes" in report.verdict.title
    assert any("reseat the device 0000:81:00.0 in node007" in r.what for r in report.recommendations)


def test_lanes_lost_long_before_are_not_told_with_it(report_of: ReportOf) -> None:
    slow = steps(0, 60, 40, 1) + steps(60, 30, 41, 9)
    report = report_of({"job.log": slow, "dmesg-node007.txt": LANES.format(m=2)})
    assert "PCIe" not in report.verdict.title


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        (LANES.format(m=2), "reseat the device"),
        ("\t`--num_processes` was set to a value of `1`\n", "accelerate launch --num_processes"),
        (
            "[2026-11-21 04:12:03,678] [WARNING] [runner.py:212:fetch_hostfile] Unable to find hostfile, will proceed with training "
            "with local resources only.\n",
            "give DeepSpeed a hostfile",
        ),
    ],
    ids=["lanes", "one-process", "no-hostfile"],
)
def test_where_nothing_is_decided_what_hampers_is_said(report_of: ReportOf, line: str, advice: str) -> None:
    report = report_of({"job.log": "hello\n" + line})
    assert report.verdict.confidence == "low"
    assert any(advice in r.what and r.because for r in report.recommendations)


RESET = "WARNING: Connection reset by peer, retrying {n}/5\n"


@pytest.mark.parametrize(
    ("log", "noise"),
    [
        (steps(0, 5, 10, 1) + RESET.format(n=1) + steps(5, 5, 11, 1), True),
        (steps(0, 5, 10, 1) + RESET.format(n=1), True),
        (steps(0, 5, 10, 1) + "".join(RESET.format(n=n) for n in range(1, 6)), False),
        (steps(0, 5, 10, 1) + "dial tcp 10.0.0.7:51080: connect: connection refused\n", False),
    ],
    ids=["went-on", "first-try", "used-up", "no-try"],
)
def test_passing_trouble_is_noise_while_it_passes(report_of: ReportOf, log: str, noise: bool) -> None:
    report = report_of({"job.log": log})
    found = [c for c in report.counts if c.pattern.startswith("connection.")]
    assert [c.noise for c in found] == [noise]
    assert any("onnection re" in e.what for e in report.timeline)


DROPPED = "[rank{r}]: 2026-11-21 04:{m:02d}:{s:02d},000 [Suppressed ValueError] Error message: a57 cannot be decoded\n"


@pytest.mark.parametrize(("often", "told"), [(40, True), (6, False)])
def test_a_rank_that_drops_more_samples_than_the_others_is_told(report_of: ReportOf, often: int, told: bool) -> None:
    hello = "".join(f"[rank{r}]: 2026-11-21 04:09:00,000 INFO train: step 0 loss 2.31\n" for r in range(4))
    drops = "".join(DROPPED.format(r=2, m=10 + n // 60, s=n % 60) for n in range(often))
    drops += "".join(DROPPED.format(r=r, m=20, s=r) for r in (0, 1, 3))
    report = report_of({"job.log": hello + drops})
    assert any("rank 2 left out samples" in s.what for s in report.symptoms) is told


def test_nvlink_sharp_fails_with_the_fabric_manager(report_of: ReportOf) -> None:
    nvls = "node007:4411:4602 [1] transport/nvls.cc:157 NCCL WARN Cuda failure 1 'invalid argument'\n"
    manager = "Nov 21 04:12:31 node007 systemd[1]: nvidia-fabricmanager.service: Failed with result 'exit-code'.\n"
    report = report_of({"job.log": steps(0, 5, 10, 1) + nvls, "syslog-node007.log": manager})
    assert "the fabric manager failed" in report.verdict.title
    assert "restart the fabric manager on node007" in report.recommendations[0].what

"""torchrun's supervision lines: which exit is a cause, which a victim's; wrappers and versions around them."""

from __future__ import annotations

import pytest
from matching import matched, names

EXITS = {
    "-9": "torchrun.worker_killed",
    "137": "torchrun.worker_killed",
    "-11": "torchrun.worker_crashed",
    "-7": "torchrun.worker_crashed",
    "139": "torchrun.worker_crashed",
    "-6": "torchrun.worker_aborted",
    "-15": "torchrun.worker_aborted",
    "1": "torchrun.worker_failed",
    "-1": "torchrun.worker_failed",
    "2": "torchrun.worker_failed",
    "13": "torchrun.worker_failed",
    "-99": "torchrun.worker_failed",
}


@pytest.mark.parametrize(("code", "name"), EXITS.items())
def test_exit_codes_part_causes_from_victims(code: str, name: str) -> None:
    line = f"E1121 04:12:12.014000 7 api.py:1002] failed (exitcode: {code}) local_rank: 6 (pid: 4411) of binary: /bin/python"
    assert names(line, "torchrun") == {name}
    assert matched(line)[name] == {"exitcode": code, "local_rank": "6", "pid": "4411", "binary": "/bin/python"}


@pytest.mark.parametrize(
    "prefix",
    [
        pytest.param("WARNING:torch.distributed.elastic.multiprocessing.api:", id="1.11 to 2.0"),
        pytest.param("[2026-11-21 04:12:11,382] torch.distributed.elastic.multiprocessing.api: [WARNING] ", id="2.1"),
        pytest.param(
            "W1121 04:12:11.382000 11807 torch/distributed/elastic/multiprocessing/api.py:1028] ", id="2.3 on"
        ),
        pytest.param("7: W1121 04:12:11.382644 139999514572608 site-packages/torch/x/api.py:851] ", id="under srun"),
        pytest.param("[04:12:11] WARNING  ", id="rich"),
    ],
)
def test_sigterm_in_every_logger_format(prefix: str) -> None:
    line = prefix + "Sending process 12213 closing signal SIGTERM"
    assert matched(line)["torchrun.sigterm"]["pid"] == "12213"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param("    raise ChildFailedError(", set(), id="source"),
        pytest.param(
            "torch.distributed.elastic.multiprocessing.errors.ChildFailedError:", {"torchrun.child_failed"}, id="cut"
        ),
        pytest.param("7: torch.x.errors.ChildFailedError: ", {"torchrun.child_failed"}, id="labelled"),
        pytest.param(
            'raise SignalException(f"Process {os.getpid()} got signal: {sigval}")', set(), id="source of signal"
        ),
        pytest.param("Root Cause analysis: see the wiki", set(), id="prose"),
    ],
)
def test_headers_not_source(line: str, expected: set[str]) -> None:
    assert names(line, "torchrun") == expected

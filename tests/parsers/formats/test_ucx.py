"""UCX: signals by their number, and survivors' crashes told from the first."""

from __future__ import annotations

import pytest
from matching import matched, names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Caught signal 11 (Segmentation fault: address not mapped to object at address 0xa0)", "ucx.crash"),
        ("Caught signal 11 (Segmentation fault: Sent by the kernel at address (nil))", "ucx.crash_at_exit"),
        ("Caught signal 7 (Bus error: nonexistent physical address)", "ucx.bus_error"),
        ("Caught signal 8 (Floating point exception: integer divide by zero)", "ucx.crash"),
    ],
)
@pytest.mark.parametrize("prefix", ["", "0: ", "[default0]:"], ids=["bare", "srun", "tee"])
def test_signals(prefix: str, text: str, name: str) -> None:
    line = f"{prefix}[node007:4411 :0:4411] {text}"
    assert names(line, "ucx") == {name}
    assert (matched(line)[name]["host"], matched(line)[name]["pid"]) == ("node007", "4411")


def test_a_missing_device_is_no_error() -> None:
    line = "[1.2] [node007:4411:0]          ib_md.c:317  UCX  ERROR ibv_open_device(mlx5_bond_0) failed: No such file or directory"
    assert names(line, "ucx") == {"ucx.device_missing"}

"""What goes wrong, one module for each family; `FAULTS` names the function that tells each."""

from __future__ import annotations

from collections.abc import Callable

from logtui.parsers.generator.faults import crash, run, stall
from logtui.parsers.generator.spec import Fault
from logtui.parsers.generator.stage import Stage

FAULTS: dict[Fault, Callable[[Stage], None]] = {
    Fault.DATA_STALL: stall.data_stall,
    Fault.EXCEPTION_ONE_RANK: crash.exception_one_rank,
    Fault.HEALTHY: run.healthy,
}

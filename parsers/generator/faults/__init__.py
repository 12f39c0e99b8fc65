"""What goes wrong, one module for each family; `FAULTS` names the function that tells each."""

from __future__ import annotations

from collections.abc import Callable

from logtui.parsers.generator.faults import crash, data, device, link, run, scheduler, stall, startup, storage
from logtui.parsers.generator.spec import Fault
from logtui.parsers.generator.stage import Stage

FAULTS: dict[Fault, Callable[[Stage], None]] = {
    Fault.DATA_STALL: stall.data_stall,
    Fault.STORAGE_STALL: storage.storage_stall,
    Fault.STRAGGLER_USER_CODE: stall.straggler_user_code,
    Fault.STRAGGLER_BEHIND: stall.straggler_behind,
    Fault.BROADCAST_ROOT_AHEAD: stall.broadcast_root_ahead,
    Fault.FABRIC: stall.fabric,
    Fault.MISMATCH: stall.mismatch,
    Fault.CHAIN: stall.data_stall,
    Fault.EXCEPTION_ONE_RANK: crash.exception_one_rank,
    Fault.DATALOADER_EXCEPTION: data.dataloader_exception,
    Fault.GPU_OOM: crash.gpu_oom,
    Fault.HOST_OOM: crash.host_oom,
    Fault.SIGKILL: crash.sigkill,
    Fault.SIGBUS_SHM: data.sigbus_shm,
    Fault.ECC: device.ecc,
    Fault.ILLEGAL_ACCESS: device.illegal_access,
    Fault.WATCHDOG_STUCK: device.watchdog_stuck,
    Fault.LINK_DOWN: link.link_down,
    Fault.UNEVEN_INPUTS: data.uneven_inputs,
    Fault.BAD_MOUNT: data.bad_mount,
    Fault.NAN: crash.nan,
    Fault.DISK_FULL: crash.disk_full,
    Fault.TIME_LIMIT: scheduler.time_limit,
    Fault.PREEMPTED: scheduler.preempted,
    Fault.CANCELLED: scheduler.cancelled,
    Fault.NODE_FAILURE: scheduler.node_failure,
    Fault.RENDEZVOUS_TIMEOUT: startup.rendezvous_timeout,
    Fault.PORT_IN_USE: startup.port_in_use,
    Fault.SLOW: run.slow,
    Fault.HEALTHY: run.healthy,
    Fault.RESTART_THEN_FAIL: run.restart_then_fail,
}

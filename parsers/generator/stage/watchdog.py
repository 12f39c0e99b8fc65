"""What ProcessGroupNCCL says, by release, as data.

Source: torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp of each release. Braces are fields; blanks that are missing
or doubled are the producer's own. `{pg}` and `{wprefix}` end with their blank.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from logtui.parsers.generator.stage.spec import Version

_CAUSES = (
    "This is most likely caused by incorrect usages of collectives, e.g., wrong sizes used across ranks, the order of "
    "collectives is not same for all ranks or the scheduled collective, for some reason, didn't run. Additionally, this "
    "can be caused by GIL deadlock or other reasons such as network errors or bugs in the communications library (e.g. "
    "NCCL), etc. "
)
_ASYNC = (
    "Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA kernels, subsequent GPU "
    "operations might run on corrupted/incomplete data."
)
_STUCK = (
    "ProcessGroupNCCL's watchdog got stuck for {stuck_s} seconds without making progress in monitoring enqueued "
    "collectives. This typically indicates a NCCL/CUDA API "
)
_OTHERS = "or other deadlock-prone behaviors."


@dataclass(frozen=True, slots=True)
class Wording:
    """One sentence and the releases that say it, both ends inclusive; no end means it is still said."""

    key: str
    since: Version
    until: Version | None
    text: str
    line: int = 0
    """Source line in that release, or in the first of them."""


WORDINGS: tuple[Wording, ...] = (
    Wording("work", (1, 12), (2, 0), "WorkNCCL(SeqNum={seq}, OpType={op}, Timeout(ms)={timeout_ms})"),
    Wording(
        "work", (2, 1), None,
        "WorkNCCL(SeqNum={seq}, OpType={op}, NumelIn={numel_in}, NumelOut={numel_out}, Timeout(ms)={timeout_ms})",
    ),
    Wording("pg", (1, 12), (2, 2), "[Rank {r}] "),
    Wording("pg", (2, 3), (2, 3), "[PG {guid} Rank {r}] "),
    Wording("pg", (2, 4), (2, 4), "[PG {guid} ({desc}) Rank {r}] "),
    Wording("pg", (2, 5), None, "[PG ID {pg_id} PG GUID {guid}({desc}) Rank {r}] "),
    Wording("wprefix", (1, 12), (2, 12), "[Rank {r}] "),
    Wording("wprefix", (2, 14), None, "[PG GUID {guid}({desc}) Rank {r}] "),
    Wording("timed_out", (1, 12), None, "{wprefix}Watchdog caught collective operation timeout: {work} ran for {ran_ms} milliseconds before timing out."),
    Wording("status", (2, 4), (2, 5), "{pg}Exception (either an error or timeout) detected by watchdog at work: {seq}, last enqueued NCCL work: {enqueued}, last completed NCCL work: {completed}.", 1785),
    Wording("status", (2, 6), (2, 12), "{pg} failure detected by watchdog at work sequence id: {seq} PG status: last enqueued work: {enqueued}, last completed work: {completed}", 2271),
    Wording("status", (2, 14), None, "{pg} failure detected by watchdog at work sequence id: {seq} PG status: last enqueued work: {enqueued}, last started work: {started}, last completed work: {completed}", 2395),
    Wording("timeout_at", (2, 3), (2, 5), "{pg}Timeout at NCCL work: {seq}, last enqueued NCCL work: {enqueued}, last completed NCCL work: {completed}.", 1537),
    Wording("no_stack", (2, 6), None, "Stack trace of the failed collective not found, potentially because FlightRecorder is disabled. You can enable it by setting TORCH_NCCL_TRACE_BUFFER_SIZE to a non-zero value.", 670),
    Wording("stack", (2, 6), None, "Stack trace of the failed collective: ", 670),
    Wording("signal", (2, 4), (2, 4), "{pg}First watchdog to set the dump signal.", 1515),
    Wording("signal", (2, 7), None, "{pg}First PG on this rank to signal dumping.", 2106),
    Wording("observed", (2, 4), (2, 4), "{pg}First PG on this rank detecting the dump signal through tcpstore.", 1206),
    Wording("observed", (2, 5), None, "{pg}Observed flight recorder dump signal from another rank via TCPStore.", 1746),
    Wording("received_here", (2, 3), (2, 3), "{pg}Received a timeout signal from this local rank and will start to dump the debug info. Last enqueued NCCL work: {enqueued}, last completed NCCL work: {completed}.", 1414),
    Wording("received_here", (2, 4), (2, 4), "{pg}Received a dump signal from this local rank and will start to dump the debug info. Last enqueued NCCL work: {enqueued}, last completed NCCL work: {completed}.", 1207),
    Wording("received_here", (2, 5), None, "{pg}Received a dump signal due to a collective timeout from this local rank and we will try our best to dump the debug info. Last enqueued NCCL work: {enqueued}, last completed NCCL work: {completed}." + _CAUSES, 1683),
    Wording("received_there", (2, 3), (2, 3), "{pg}Received a global timeout from another rank and will start to dump the debug info. Last enqueued NCCL work: {enqueued}, last completed NCCL work: {completed}.", 1414),
    Wording("received_there", (2, 4), (2, 4), "{pg}Received a global dump signal from rank {source}, and will start to dump the debug info. Last enqueued NCCL work: {enqueued}, last completed NCCL work: {completed}.", 1207),
    Wording("received_there", (2, 5), None, "{pg}Received a dump signal due to a collective timeout from  rank {source} and we will try our best to dump the debug info. Last enqueued NCCL work: {enqueued}, last completed NCCL work: {completed}." + _CAUSES, 1683),
    Wording("preparing", (2, 2), (2, 5), "{pg}ProcessGroupNCCL preparing to dump debug info.", 1316),
    Wording("preparing", (2, 6), (2, 9), "{pg}ProcessGroupNCCL preparing to dump debug info. Include stack trace: 1", 1536),
    Wording("preparing", (2, 10), None, "{pg}ProcessGroupNCCL preparing to dump debug info. Include stack trace: 1, only active collectives: 0", 1619),
    Wording("heartbeat", (2, 2), (2, 2), "{pg}NCCL monitor thread timeout. Basically, this could be due to CUDA or NCCL calls being unexpectedly blocking, especially when your program enters a deadlock state in watchdogor destructors. If you see this error, please file a bug to pytorch."),
    Wording("heartbeat", (2, 3), (2, 4), "{pg}Heartbeat monitor timed out! Process will be terminated after dumping debug info. workMetaList_.size()={pending}", 1153),
    Wording("heartbeat", (2, 5), None, "{pg}" + _STUCK + "(e.g., CudaEventDestroy) hang blocking the watchdog, and could be triggered by another thread holding the GIL inside a CUDA api (for example, CudaEventDestroy), " + _OTHERS, 1683),
    Wording("stuck_kill", (2, 3), (2, 4), "{pg}{pg}" + _STUCK + "hang blocking the watchdog, and could be triggered by another thread holding the GIL inside a CUDA api, " + _OTHERS + "If you suspect the watchdog is not actually stuck and a longer timeout would help, you can either increase the timeout (TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC) to a larger value or disable the heartbeat monitor (TORCH_NCCL_ENABLE_MONITORING=0).If either of aforementioned helps, feel free to file an issue to PyTorch about the short timeout or false positive abort; otherwise, please attempt to debug the hang. workMetaList_.size() = {pending}", 1169),
    Wording("stuck_kill", (2, 5), None, "{pg}{pg}Terminating the process after attempting to dump debug info, due to ProcessGroupNCCL watchdog hang.", 1725),
    Wording("monitor_kill", (2, 3), (2, 3), "{pg}ProcessGroupNCCL's watchdog detected a collective timeout on some other rank and notified current rank. " + _CAUSES + "We tried our best to dump the debug info into the storage to help you debug the issue.", 1153),
    Wording("monitor_kill", (2, 4), (2, 4), "{pg}{pg}ProcessGroupNCCL's watchdog detected a dump signal from rank {source} and notified the current rank. " + _CAUSES + "We tried our best to dump the debug info into the storage to help you debug the issue.", 1153),
    Wording("monitor_kill", (2, 5), None, "{pg}{pg}Terminating the process after attempting to dump debug info, due to collective timeout or exception.", 1725),
    Wording("banner", (1, 12), (1, 12), _ASYNC + " To avoid this inconsistency, we are taking the entire process down.", 406),
    Wording("banner", (1, 13), (2, 2), _ASYNC, 456),
    Wording("banner", (2, 3), (2, 12), "[Rank {r}] " + _ASYNC, 577),
    Wording("banner", (2, 14), None, "{wprefix}" + _ASYNC, 769),
    Wording("taking_down", (1, 13), (2, 2), "To avoid data inconsistency, we are taking the entire process down.", 461),
    Wording("taking_down", (2, 3), (2, 12), "[Rank {r}] To avoid data inconsistency, we are taking the entire process down.", 583),
    Wording("taking_down", (2, 14), None, "{wprefix}To avoid data inconsistency, we are taking the entire process down.", 775),
    Wording("terminated", (1, 12), (2, 2), "{pg}NCCL watchdog thread terminated with exception: {error}", 915),
    Wording("terminated", (2, 3), None, "{pg}Process group watchdog thread terminated with exception: {error}", 1414),
    Wording("store_gone", (2, 5), (2, 12), '{pg}Failed to check the "should dump" flag on TCPStore, (maybe TCPStore server has shut down too early), with error: {error}', 1683),
    Wording("store_gone", (2, 14), None, '{pg}TCPStore check for dump key "{signal}" failed (store unavailable, not absent key). Cannot detect remote dump signals. A rank exiting outside NCCL without broadcasting is a separate case. Error: {error}', 1930),
    Wording("not_destroyed", (2, 3), (2, 5), "WARNING: process group has NOT been destroyed before we destruct ProcessGroupNCCL. On normal program exit, the application should call destroy_process_group to ensure that any pending NCCL operations have finished in this process. In rare cases this process can exit before this point and block the progress of another member of the process group. This constraint has always been present,  but this warning has only been added since PyTorch 2.4 (function operator())", 1250),
    Wording("not_destroyed", (2, 6), None, "WARNING: destroy_process_group() was not called before program exit, which can leak resources. For more info, please see https://pytorch.org/docs/stable/distributed.html#shutdown (function operator())", 1524),
    Wording("async_error", (1, 12), (2, 4), "[Rank {r}] found async exception when checking for NCCL errors: {error}"),
    Wording("async_error", (2, 5), None, "{wprefix}Collective {work} raised the following async exception: {error}", 2040),
)  # fmt: skip

_TIMED_OUT_LINES: tuple[tuple[Version, int], ...] = (
    ((1, 12), 737), ((2, 0), 821), ((2, 1), 475), ((2, 2), 523), ((2, 3), 563), ((2, 4), 607), ((2, 5), 616),
    ((2, 6), 632), ((2, 8), 683), ((2, 10), 694), ((2, 14), 757),
)  # fmt: skip
"""Source line of the timeout message, from the release on."""

TERMINATE_TYPES: tuple[tuple[Version, str], ...] = (
    ((1, 12), "std::runtime_error"),
    ((2, 1), "c10::DistBackendError"),
)
"""What libstdc++ says was thrown, from the release on."""


@lru_cache(maxsize=1024)
def wording(key: str, version: Version) -> Wording | None:
    """The sentence of a release, or None where it does not say it. Raises KeyError for an unknown key."""
    rows = [w for w in WORDINGS if w.key == key]
    if not rows:
        raise KeyError(key)
    return next((w for w in rows if w.since <= version and (w.until is None or version <= w.until)), None)


def timed_out_line(version: Version) -> int:
    """Where in ProcessGroupNCCL.cpp a release reports the timeout."""
    return [line for since, line in _TIMED_OUT_LINES if since <= version][-1]


def terminate_type(version: Version, cuda: bool = False) -> str:
    """The C++ type that a dying watchdog thread throws in a release."""
    if cuda:
        return "c10::AcceleratorError" if version >= (2, 8) else "c10::Error"
    return [name for since, name in TERMINATE_TYPES if since <= version][-1]

"""oneCCL, the collectives of Intel's CPUs and GPUs."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="oneccl",
    title="oneCCL",
    reference="uxlfoundation/oneCCL src/common/log/log.hpp, 2021.1 to 2021.17",
    patterns=(
        Pattern(
            name="oneccl.error",
            anchors=("|CCL_ERROR|",),
            regex=r"\(\s*(?P<pid>\d+)\) \|CCL_ERROR\| (?P<source>[\w.]+:\d+) (?P<function>\w+): (?P<message>.+)",
            samples=(
                Sample(
                    "2026:01:02-03:04:05:(4242) |CCL_ERROR| ze_fd_manager.cpp:57 fill_device_fds: condition fds[dev_idx] > 0 failed",
                    {"pid": "4242", "source": "ze_fd_manager.cpp:57", "function": "fill_device_fds"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.SOFTWARE,
            weight=52,
            title="oneCCL failed",
        ),
        Pattern(
            name="oneccl.wants_setting",
            anchors=(" explicitly",),
            regex=r", set (?P<variable>CCL_\w+)=(?P<value>\w+) explicitly",
            samples=(
                Sample(
                    "to get local_idx/count from ATL, set CCL_ZE_IPC_EXCHANGE=sockets explicitly",
                    {"variable": "CCL_ZE_IPC_EXCHANGE", "value": "sockets"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.CONFIG,
            weight=70,
            title="oneCCL wants a setting of the environment",
        ),
    ),
)

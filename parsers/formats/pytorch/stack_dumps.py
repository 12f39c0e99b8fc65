"""py-spy dumps beside the logs: where each process stands. Innermost frame first."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample

FORMAT = LineFormat(
    name="stack_dumps",
    title="py-spy stack dumps",
    reference="benfred/py-spy src/dump.rs, 0.3 to 0.4",
    patterns=(
        Pattern(
            name="pyspy.thread",
            anchors=('"MainThread"',),
            regex=r"Thread (?P<thread>\w+) \((?P<state>idle|active|gil|active\+gil)\): \"MainThread\"",
            samples=(Sample('Thread 4242 (active+gil): "MainThread"', {"thread": "4242", "state": "active+gil"}),),
            role=Role.STATE,
            follow=60,
            title="stack of a main thread",
        ),
        Pattern(
            name="pyspy.process",
            anchors=("Python v3.",),
            regex=r"^Python v(?P<python>3[\d.]+) \((?P<path>[^)]+)\)",
            samples=(
                Sample(
                    "Python v3.12.7 (/opt/venv/bin/python3.12)",
                    {"python": "3.12.7", "path": "/opt/venv/bin/python3.12"},
                ),
            ),
            role=Role.INFO,
        ),
        Pattern(
            name="pyspy.data_wait",
            anchors=("torch/utils/data/dataloader.py:",),
            regex=r"^\s*(?P<function>_try_get_data|_get_data) \((?P<path>\S*torch/utils/data/dataloader\.py):(?P<line>\d+)\)",
            samples=(
                Sample(
                    "    _try_get_data (torch/utils/data/dataloader.py:1133)",
                    {"function": "_try_get_data", "line": "1133"},
                ),
            ),
            role=Role.CAUSE,
            cls=FailureClass.DATA_LOADING_STALL,
            weight=58,
            title="a process waits for its data workers",
            note="A stall if it stands there while others wait in a collective.",
            advice=(
                Advice(
                    "client",
                    "look what the loader workers wait for: py-spy dump on each of them, then the storage that they "
                    "read from",
                ),
            ),
        ),
        Pattern(
            name="pyspy.collective",
            anchors=("torch/distributed/distributed_c10d.py:",),
            regex=r"^\s*(?P<function>\w+) \((?P<path>\S*torch/distributed/distributed_c10d\.py):(?P<line>\d+)\)",
            samples=(
                Sample(
                    "    all_reduce (torch/distributed/distributed_c10d.py:2501)",
                    {"function": "all_reduce", "line": "2501"},
                ),
            ),
            role=Role.STATE,
            title="a process stands in a collective",
        ),
        Pattern(
            name="stack.thread_start",
            anchors=("threading.py:",),
            regex=r"^\s*#\d+ (?P<function>run|_bootstrap|_bootstrap_inner) +(?:from )?(?P<path>\S*threading\.py):(?P<line>\d+)",
            samples=(
                Sample("#5 run from /usr/lib/python3.11/threading.py:982", {"function": "run", "line": "982"}),
                Sample("#6 _bootstrap_inner from /opt/venv/lib/python3.12/threading.py:1073", {"line": "1073"}),
            ),
            role=Role.STATE,
            title="a stack that begins in a background thread",
            note="As PyTorch 2.6 and later print the stack of a failed collective, innermost frame first.",
        ),
    ),
)

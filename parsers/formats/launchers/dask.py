"""Dask's workers: the nanny that ends them for their memory, and the scheduler that gives a task up after them."""

from __future__ import annotations

from logtui.parsers.pattern import FailureClass, LineFormat, Pattern, Role, Sample
from logtui.parsers.remedies import ROOM_ON_HOST

FORMAT = LineFormat(
    name="dask",
    title="Dask",
    reference="dask/distributed distributed/worker_memory.py, scheduler.py; 2.0 to 2024",
    patterns=(
        Pattern(
            name="dask.memory",
            anchors=("% memory budget. Restarting",),
            regex=r"(?:Worker (?P<worker>\S{1,80}) (?:\(pid=\d{1,10}\) )?|Worker )exceeded (?P<share>\d{1,3})% memory budget\. Restarting",
            samples=(
                Sample(
                    "distributed.nanny.memory - WARNING - Worker tcp://10.0.0.7:41057 (pid=4821) exceeded 95% memory budget. "
                    "Restarting...",
                    {"worker": "tcp://10.0.0.7:41057", "share": "95"},
                ),
                Sample("distributed.nanny - WARNING - Worker exceeded 95% memory budget. Restarting", {"share": "95"}),
            ),
            role=Role.CAUSE,
            cls=FailureClass.HOST_OOM,
            weight=66,
            bulk=True,
            title="Dask ended a worker for its memory",
            advice=ROOM_ON_HOST,
        ),
        Pattern(
            name="dask.restarts",
            anchors=(" was killed by signal 15",),
            regex=r"distributed\.nanny - INFO - Worker process (?P<pid>\d{1,10}) was killed by signal 15\b",
            samples=(
                Sample("distributed.nanny - INFO - Worker process 4821 was killed by signal 15", {"pid": "4821"}),
            ),
            role=Role.NOISE,
            title="a nanny ended its worker",
            note="Its own doing: before a restart, or at a close.",
        ),
        Pattern(
            name="dask.killed_worker",
            anchors=("KilledWorker: Attempted to run task",),
            regex=r"KilledWorker: Attempted to run task (?P<task>.{1,200}?) on (?P<times>\d{1,4}) different workers",
            samples=(
                Sample(
                    "distributed.scheduler.KilledWorker: Attempted to run task fit-57 on 4 different workers, but all those "
                    "workers died while running it.",
                    {"task": "fit-57", "times": "4"},
                ),
            ),
            role=Role.SYMPTOM,
            title="every worker that ran a task died",
        ),
    ),
)

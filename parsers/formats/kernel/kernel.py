"""The kernel about processes: OOM killer, segfaults, lockups, hung tasks, panics."""

from __future__ import annotations

from logtui.parsers.advice import Advice
from logtui.parsers.pattern import FailureClass, Kind, LineFormat, Pattern, Program, Role, Sample, Source
from logtui.parsers.remedies import LESS_ON_HOST

_KILL = (
    "Killed process 4242 (python3) total-vm:57123456kB, anon-rss:41234567kB, file-rss:0kB, shmem-rss:1048576kB, UID:1000 "
    "pgtables:99kB oom_score_adj:0"
)

_FAULT = r"(?<![\w./-])(?P<process>{process}[\w.:/-]+)\[(?P<pid>\d+)\]:? (?:segfault at|general protection fault ip:) ?\S{{1,64}}.{{0,300}}? in (?P<library>[\w.+-]+)(?:\[|$)"
_HUNG = r"INFO: task (?P<process>{process}.{{0,60}}):(?P<pid>\d+) blocked for more than (?P<seconds>\d+) seconds"
_TRAINING = "(?:python|pt_|torchrun)"
"""How the processes of a training job are named in the kernel's 15 characters."""

MEMORY = (
    Pattern(
        name="kernel.oom_kill",
        anchors=("Killed process ",),
        regex=r"(?P<scope>Memory cgroup out of memory|Out of memory)(?: \(oom_kill_allocating_task\))?: Killed process (?P<pid>\d+),? (?:UID \d+ )?\((?P<process>[^)]*)\)"
        r"(?:.*?anon-rss:(?P<anon_kb>\d+)kB)?(?:.*?shmem-rss:(?P<shmem_kb>\d+)kB)?",
        samples=(
            Sample(
                "[1622.172326] Memory cgroup out of memory: " + _KILL,
                {
                    "scope": "Memory cgroup out of memory",
                    "pid": "4242",
                    "process": "python3",
                    "anon_kb": "41234567",
                    "shmem_kb": "1048576",
                },
            ),
            Sample(
                "Jan  2 03:04:05 node007 kernel: Out of memory: " + _KILL, {"scope": "Out of memory", "pid": "4242"}
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.HOST_OOM,
        weight=88,
        title="the OOM killer killed a process",
        note="cgroup: the job's or pod's limit. High shmem-rss is /dev/shm. GPU memory never shows here.",
        advice=(
            Advice(
                "infrastructure",
                "raise the memory limit of the job or container[ on {host}], where {process} was killed, or use "
                "fewer ranks per node",
            ),
            *LESS_ON_HOST,
        ),
    ),
    Pattern(
        name="kernel.oom_invoked",
        anchors=(" invoked oom-killer: ",),
        regex=r"(?<!\S)(?P<process>\S+) invoked oom-killer: ",
        samples=(
            Sample(
                "[1622.100000] python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
                {"process": "python3"},
            ),
        ),
        role=Role.STATE,
        title="a process triggered the OOM killer",
        note="It only asked for memory; the victim stands in `Killed process`.",
    ),
    Pattern(
        name="kernel.oom_constraint",
        anchors=("oom-kill:constraint=",),
        regex=r"oom-kill:constraint=(?P<constraint>\w+)(?:.*?,task_memcg=(?P<cgroup>[^,]*))?(?:.*?,task=(?P<process>[^,]*),pid=(?P<pid>\d+))?",
        samples=(
            Sample(
                "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0-1,oom_memcg=/slurm/uid_1000/job_4821,"
                "task_memcg=/slurm/uid_1000/job_4821/step_0/task_7,task=python3,pid=4242,uid=1000",
                {
                    "constraint": "CONSTRAINT_MEMCG",
                    "cgroup": "/slurm/uid_1000/job_4821/step_0/task_7",
                    "process": "python3",
                    "pid": "4242",
                },
            ),
        ),
        role=Role.STATE,
        title="whose memory ran out",
        note="CONSTRAINT_MEMCG: the job's limit; CONSTRAINT_NONE: the whole host, possibly another tenant.",
    ),
    Pattern(
        name="kernel.oom_reaped",
        anchors=("oom_reaper: reaped process ", " killed as a result of limit of "),
        regex=r"oom_reaper: reaped process (?P<pid>\d+)|Task in (?P<cgroup>\S+) killed as a result of limit of",
        samples=(
            Sample(
                "oom_reaper: reaped process 4242 (python3), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB",
                {"pid": "4242"},
            ),
        ),
        role=Role.STATE,
    ),
    Pattern(
        name="kernel.file_limit",
        anchors=("VFS: file-max limit ",),
        regex=r"VFS: file-max limit (?P<limit>\d+) reached",
        samples=(Sample("VFS: file-max limit 812345 reached", {"limit": "812345"}),),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=70,
        title="the host ran out of file descriptors",
        advice=(Advice("infrastructure", "raise fs.file-max[ on {host}]"),),
    ),
)

STALLS = (
    Pattern(
        name="kernel.hung_task",
        anchors=(" blocked for more than ",),
        regex=_HUNG.format(process=_TRAINING),
        samples=(
            Sample(
                "[Fri Jan  2 03:04:05 2026] INFO: task python:4242 blocked for more than 120 seconds.",
                {"process": "python", "pid": "4242", "seconds": "120"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=74,
        follow=60,
        title="a training process hangs in the kernel",
        note="Began that many seconds earlier. Storage unless the stack below names a driver. Printed ten times per boot.",
        advice=(
            Advice(
                "storage",
                "read the stack below it[ in the kernel log of {host}]: nfs, lustre, nvme or the GPU's driver is "
                "what {process} waits in",
            ),
        ),
    ),
    Pattern(
        name="kernel.hung_other",
        anchors=(" blocked for more than ",),
        regex=_HUNG.format(process=f"(?!{_TRAINING})"),
        samples=(
            Sample("INFO: task fsmount:4242 blocked for more than 120 seconds.", {"process": "fsmount", "pid": "4242"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.STORAGE_IO,
        weight=52,
        follow=60,
        title="another process of the node hangs in the kernel",
    ),
    Pattern(
        name="kernel.lockup",
        anchors=(
            "soft lockup - CPU#",
            "Watchdog detected hard LOCKUP",
            "self-detected stall on CPU",
            "detected stalls on CPUs",
        ),
        regex=r"(?P<what>soft lockup - CPU#\d+ stuck for (?P<seconds>\d+)s|Watchdog detected hard LOCKUP|self-detected stall on CPU|detected stalls on CPUs)",
        samples=(
            Sample("watchdog: BUG: soft lockup - CPU#18 stuck for 27s! [python3:4242]", {"seconds": "27"}),
            Sample("rcu: INFO: rcu_sched self-detected stall on CPU", {"what": "self-detected stall on CPU"}),
        ),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=72,
        title="a CPU is stuck in the kernel",
    ),
    Pattern(
        name="kernel.panic",
        anchors=("Kernel panic - not syncing",),
        regex=r"Kernel panic - not syncing(?:: (?P<reason>.+))?",
        samples=(Sample("Kernel panic - not syncing: Fatal machine check", {"reason": "Fatal machine check"}),),
        role=Role.CAUSE,
        cls=FailureClass.INFRASTRUCTURE,
        weight=85,
        title="the node's kernel panicked",
    ),
    Pattern(
        name="kernel.boot",
        anchors=("] Linux version ", "kernel: Linux version "),
        regex=r"Linux version (?P<version>\d\S+)",
        samples=(
            Sample(
                "[    0.000000] Linux version 6.8.0-57-generic (buildd@node) (gcc 13.2.0)",
                {"version": "6.8.0-57-generic"},
            ),
        ),
        role=Role.STATE,
        title="the node booted",
        note="Inside the job's life: the node restarted.",
    ),
)

FAULTS = (
    Pattern(
        name="kernel.segfault",
        anchors=("]: segfault at ", " general protection fault ip:"),
        regex=_FAULT.format(process=_TRAINING),
        samples=(
            Sample(
                "[571234.567890] pt_main_thread[4242]: segfault at 18 ip 00007f0000000000 sp 00007f0000000000 error 4 in libnccl.so.2[7f0000000000+57000]",
                {"process": "pt_main_thread", "pid": "4242", "library": "libnccl.so.2"},
            ),
            Sample(
                "traps: python3[4242] general protection fault ip:7f00 sp:7f00 error:0 in libc.so.6[7f00+57]",
                {"process": "python3", "library": "libc.so.6"},
            ),
        ),
        role=Role.CAUSE,
        cls=FailureClass.SOFTWARE,
        weight=68,
        title="a process crashed in a library",
        note="The pid is the host's; in a container it is another number. comm is cut to 15 characters.",
        advice=(Advice("training", "rerun with PYTHONFAULTHANDLER=1: {process} crashed in {library}"),),
    ),
    Pattern(
        name="kernel.other_segfault",
        anchors=("]: segfault at ", " general protection fault ip:"),
        regex=_FAULT.format(process=f"(?!{_TRAINING})"),
        samples=(
            Sample(
                "[571234.567890] systemd-coredum[4242]: segfault at 18 ip 00007f00 sp 00007f00 error 4 in libc.so.6[7f00+57]",
                {"process": "systemd-coredum"},
            ),
        ),
        role=Role.STATE,
        title="another program crashed on the node",
    ),
)

FORMAT = LineFormat(
    name="kernel",
    title="Linux kernel: memory, stalls, process faults",
    reference="torvalds/linux mm/oom_kill.c, kernel/hung_task.c, kernel/watchdog.c, 3.10 to 6.12",
    patterns=MEMORY + STALLS + FAULTS,
    programs=(Program(Kind.LIBRARY, ("kernel",), source=Source.KERNEL),),
)

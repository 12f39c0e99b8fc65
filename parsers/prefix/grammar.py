"""The heads of lines: every form in which a launcher, a collector or a library says who wrote a line, declared.

Heads stack outermost first: a collector's time, the label of the whole line, then those of processes inside it, then
the header that a library or a program puts before its own text. Each number means something else, and only some are
global ranks. The scan, the diagnosis and the screen all read lines by this table; a new form is one row of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from logtui.parsers.pattern import Sample
from logtui.parsers.prefix.wrapping import ISO, POD


class Place(IntEnum):
    """Where a head stands, outermost first."""

    LABEL = 0
    """First in the line, once: it labels the line as a whole, whatever is glued together in it."""
    STACKED = 1
    """Behind labels and others of its kind, or in mid-line where a record is glued to another's."""
    HEADER = 2
    """Behind a time and a level; part of what the writer itself says."""
    REPEATED = 3
    """Behind all others, and again before every line of a record."""
    SUBJECT = 4
    """The first words of the message: behind time, level and logger."""
    NAMED = 5
    """Somewhere in the text. Too weak for a line that anything else tells of."""


@dataclass(frozen=True)
class Head:
    """One form."""

    name: str
    written_by: str
    place: Place
    cue: str
    """A literal in every such head: lines without it are not searched."""
    regex: str
    """Treats all digits alike, so that one search serves all lines that differ in digits alone. Groups: `rank`,
    global; `task`; `local_rank`; `host`; `pid`; `writer`, a name that says none of these; `actor`."""
    samples: tuple[Sample, ...]
    """Heads alone, as they are written."""
    in_text: bool = False
    """A rank that the line's own text names, or that a launcher counts, not the process's own prefix."""
    blank: bool = True
    """Whether one blank behind it belongs to it, where there is one."""
    anywhere: bool = False
    """Nothing else looks like it: it counts behind a time and a level too, in a line as a whole."""

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The regex."""
        return re.compile(self.regex)

    @cached_property
    def gives(self) -> tuple[str, ...]:
        """What of a writer the form may tell."""
        return tuple(name for name in GIVEN if f"(?P<{name}>" in self.regex)  # most are never compiled


STAMP = ISO + r" (?:std(?:out|err) [FP] )?"
"""A collector's time on some lines only, too few for a file's wrapping: it says nobody's name."""
GIVEN = ("rank", "local_rank", "task", "host", "pid")
_AGENT_ROLES = "default|trainer|worker"
"""torchrun's and its examples' names for a role; other names before a local rank are hosts."""
_STARTED = r"(?:\[?[A-Z]{4,8}\]?:? )?(?:[A-Za-z_][\w.]{0,39}: )?"
"""Level and logger of Python's logging, behind the time; no logger begins with a digit, of which a time has many."""
_CLOCK = r"(?<!\d)(?<!\d[:,./-])[\d\[][\d:,.TZ/ \[\]-]{7,33}(?=[\[A-Za-z_])"
"""Looked for where a number begins, and seldom taken on from: texts are full of numbers."""
_OF_ANOTHER = r"(?! (?:is|has|was|did|does|not|never|timed|exited|died|missing|lost)\b)"
"""`rank 57 has not reported`, says somebody else."""

HEADS = (
    Head(
        "pod", "kubectl logs --prefix", Place.LABEL, "[pod/",
        POD,
        (Sample("[pod/llm-worker-3/pytorch] ", {"writer": "llm-worker-3"}),),
    ),
    Head(
        "mpi", "mpirun --tag-output, with --timestamp-output; horovodrun without MPI", Place.LABEL, "]<std",
        r"(?:[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})?\[(?:\d+,)?(?P<rank>\d{1,6})\]<std\w+>:",
        (
            Sample("Fri Jan  2 03:04:05 2026[1,57]<stdout>:", {"rank": "57"}),
            Sample("[1,57]<stderr>:", {"rank": "57"}),
            Sample("[1,0]<stdout>:", {"rank": "0"}),
            Sample("[5]<stderr>:", {"rank": "5"}),
        ),
        in_text=True, blank=False,
    ),
    Head(
        "srun", "srun --label; with P1 in a heterogeneous job", Place.LABEL, ": ",
        r"(?:P\d+ )? *(?P<task>\d{1,6}):(?= )",
        (Sample("57: ", {"task": "57"}), Sample("  3: ", {"task": "3"}), Sample("P1  4: ", {"task": "4"})),
    ),
    Head(
        "pdsh", "pdsh, and slurmstepd before its node; with a digit or dash, no exception's name", Place.LABEL, ": ",
        r"(?!(?:\w+\.)+[A-Z][a-z]\w*:)(?:slurmstepd-)?(?P<host>\d{1,3}(?:\.\d{1,3}){3}|localhost"
        r"|(?:(?<=slurmstepd-)|(?=[\w.-]*[\d-]))[A-Za-z][\w-]*(?:\.[\w.-]+)?)"
        r"(?<!Error)(?<!Exception)(?<!Warning)(?<!Interrupt)(?<!Exit)(?<!Iteration)(?<!\.py)(?<!\.error)"
        r"(?<!\.timeout):(?= )",
        (
            Sample("node007: ", {"host": "node007"}),
            Sample("192.0.2.17: ", {"host": "192.0.2.17"}),
            Sample("localhost: ", {"host": "localhost"}),
            Sample("slurmstepd-login: ", {"host": "login"}),
            Sample("gpu-b.cluster.example: ", {"host": "gpu-b.cluster.example"}),
        ),
    ),
    Head(
        "bracketed", "scripts whose logging puts the rank before the logger's name", Place.HEADER, "[rank",
        _CLOCK + _STARTED + r"\[rank[ =:]?(?P<rank>\d{1,6})\](?!:)" + _OF_ANOTHER,
        (
            Sample("2026-03-05 15:00:00,120 INFO [rank57] ", {"rank": "57"}),
            Sample("[2026-03-05 15:00:00] [INFO] [rank 5]", {"rank": "5"}),
        ),
        in_text=True, anywhere=True,
    ),
    Head(
        "kernel", "syslog and journald, of a kernel's line", Place.HEADER, " kernel: ",
        r"^(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d [\d:]{8}|\d{4}-\d\d-\d\dT[\d:.,+Z-]{8,24})"
        r" (?P<host>[A-Za-z0-9][\w.-]*) kernel:",
        (
            Sample("Nov 21 04:02:00 node007 kernel: ", {"host": "node007"}),
            Sample("2026-02-24T15:09:37.123456+00:00 node007 kernel: ", {"host": "node007"}),
        ),
        anywhere=True,
    ),
    Head(
        "tee", "torchrun --tee, and DeepSpeed's and others' with a host for a role", Place.STACKED, "]:",
        rf"\[(?:(?:{_AGENT_ROLES})|(?![Rr]ank\d)(?P<host>[A-Za-z][\w.-]*?)):?(?P<local_rank>\d{{1,3}})\]:",
        (Sample("[default3]:", {"local_rank": "3"}), Sample("[node007:5]:", {"local_rank": "5", "host": "node007"})),
        blank=False,
    ),
    Head(
        "ray", "Ray's driver, for an actor or a task; frameworks add the rank", Place.STACKED, "pid=",
        r"\((?P<actor>[A-Za-z_](?:(?!\[rank=)[\w.:<>\[\]=-])*)(?:(?:[ ,] ?|\[)rank=(?P<rank>\d{1,6})\]?)?"
        r"[ ,]{1,2}pid=(?P<pid>\d{1,9})"
        r"(?:, ip=(?P<host>[\d.]+))?\)",
        (
            Sample("(TaskRunner pid=16292) ", {"pid": "16292", "actor": "TaskRunner"}),
            Sample("(Trainer.fit pid=4009, ip=192.0.2.17) ", {"pid": "4009", "host": "192.0.2.17"}),
            Sample("(WorkerDict rank=6 pid=4009) ", {"rank": "6", "pid": "4009"}),
            Sample("(PolicyWorker[rank=57] pid=4009) ", {"pid": "4009", "rank": "57"}),
        ),
    ),
    Head(
        "lightning", "Lightning's logging of one rank", Place.STACKED, "[rank: ",
        r"\[rank: (?P<rank>\d{1,6})\](?= )",
        (Sample("[rank: 57] ", {"rank": "57"}),),
    ),
    Head(
        "gpu", "scripts that put their GPU before each line", Place.STACKED, "[GPU",
        r"\[GPU[ :]?(?P<local_rank>\d{1,3})\](?= )",
        (Sample("[GPU5] ", {"local_rank": "5"}), Sample("[GPU 0] ", {"local_rank": "0"})),
    ),
    Head(
        "composer", "Composer's logging", Place.HEADER, ": rank",
        r": rank(?P<rank>\d{1,6})\[\d+\]\[",
        (Sample("2025-03-09 11:22:26,152: rank5[8220][", {"rank": "5"}),),
        anywhere=True,
    ),
    Head(
        "nccl", "NCCL; its date and a source file may stand around it", Place.HEADER, " NCCL ",
        r"(?:^|(?<=[\s\]])|(?<=[\]>]:))(?P<host>[A-Za-z0-9][\w.-]*):(?P<pid>\d{1,8}):\d{1,8} \[-?\d+\] ",
        (Sample("node007:4242:4310 [1] NCCL INFO ", {"host": "node007", "pid": "4242"}),),
        anywhere=True,
    ),
    Head(
        "rank", "PyTorch: its excepthook, and C++ logs of a process group", Place.STACKED, "[rank",
        r"\[rank(?P<rank>\d{1,6})\]:",
        (Sample("[rank57]: ", {"rank": "57"}), Sample("[rank16383]:", {"rank": "16383"})),
        anywhere=True,
    ),
    Head(
        "torch", "PyTorch's Python loggers", Place.REPEATED, "] ",
        r"[VDIWEC]\d{4} \d\d:\d\d:\d\d\.\d{6} (?P<writer>\d+ [^\]\s]+\])(?: \[\d+/\w+\])*(?= )",
        (
            Sample("W0102 03:04:05.678901 4242 torch/_dynamo/a.py:7] ", {"writer": "4242 torch/_dynamo/a.py:7]"}),
            Sample("V0102 03:04:05.678901 4242 torch/a.py:7] [5/2_1] ", {"writer": "4242 torch/a.py:7]"}),
        ),
    ),
    Head(
        "subject", "scripts with Python's logging that say which rank they are, on every line", Place.SUBJECT, "ank ",
        _CLOCK + _STARTED + r"[Rr]ank (?P<rank>\d{1,6})\b" + _OF_ANOTHER,
        (
            Sample("2026-03-05 15:00:00,120 INFO shards: rank 57", {"rank": "57"}),
            Sample("[2026-03-05 15:00:00] Rank 5", {"rank": "5"}),
        ),
        in_text=True,
    ),
    Head(
        "named", "scripts with a format of their own", Place.NAMED, "",
        r"(?<!of )(?<!for )(?<!from )(?<!with )(?<!to )"  # `waiting for rank 57` says another
        r"\b(?:[Gg]lobal[_ ]|GLOBAL_)?(?:[Rr]ank|RANK)[ =:]{1,2}(?P<rank>\d{1,6})\b",
        (Sample("rank=57", {"rank": "57"}), Sample("global_rank: 5", {"rank": "5"})),
        in_text=True,
    ),
)  # fmt: skip
"""In the order of trust: of two heads that tell the same, the later row is believed."""
_GROUP = re.compile(r"\(\?P<(\w+)>")


def head_named(name: str) -> Head:
    """The form of a name."""
    return next(head for head in HEADS if head.name == name)


def at(*places: Place) -> tuple[Head, ...]:
    """The forms that stand at some places."""
    return tuple(head for head in HEADS if head.place in places)


def any_of(place: Place, named: bool = True) -> str:
    """A regex for all forms of a place, with the blank that belongs to each; `named` groups are `form_group`."""
    return "|".join(_GROUP.sub(f"(?P<{f.name}_\\1>" if named else "(?:", f.regex) + " ?" * f.blank for f in at(place))


LINE_START = f"^(?:{STAMP})?(?:{any_of(Place.LABEL, named=False)})?(?:{any_of(Place.STACKED, named=False)}){{0,2}}"
"""Where the text of a line begins that is asked for as a whole: behind the label of its task or process."""

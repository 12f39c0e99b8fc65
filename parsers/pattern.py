"""How a log format is declared: patterns with anchors, roles, marks and samples, and the programs that write them.

A format is data. The scan engine looks for the *anchors* (literals) of all patterns in one native pass; the
*regex* is then run with Python's `re` on the few lines that hold one, and its named groups are the fields.

What diagnosis must know of a line or of a program beyond its role is declared here as well, as `Mark` and `Trait`:
decisions ask for marks and traits, never for a list of names, so that a new format takes part in them by itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from logtui.parsers.advice import Advice, fill
from logtui.parsers.bounded import compile_bounded

MIN_ANCHOR_BYTES = 7
"""Shorter literals cost the engines most of their speed and are refused by a test."""
UNITS_MS = {"ms": 1.0, "s": 1000.0}
"""Names of groups that hold the time of a step, which say its unit, and the milliseconds in it."""
_GROUP = re.compile(r"\(\?P<(\w+)>")


class FailureClass(StrEnum):
    """The failure classes of the report."""

    STORAGE_IO = "storage-io"
    NETWORK = "network"
    GPU_HARDWARE = "gpu-hardware"
    GPU_OOM = "gpu-oom"
    CUDA_SOFTWARE = "cuda-software"
    HOST_OOM = "host-oom"
    DATA = "data"
    DATA_LOADING_STALL = "data-loading-stall"
    COLLECTIVE_MISMATCH = "collective-mismatch"
    INIT_RENDEZVOUS = "init-rendezvous"
    SOFTWARE = "software"
    CONFIG = "config"
    INFRASTRUCTURE = "infrastructure"
    SLOW_TRAINING = "slow-training"
    HEALTHY = "healthy"
    UNKNOWN = "unknown"


class Role(StrEnum):
    """What a line says about a failure."""

    CAUSE = "cause"
    """May be the origin of a failure."""
    SYMPTOM = "symptom"
    """The echo of a failure elsewhere, however loud."""
    STATE = "state"
    """Counters and notices that rules compare between ranks."""
    INFO = "info"
    """Facts of the job: versions, sizes, maps, steps."""
    END = "end"
    """The job, or a part of it, ended on purpose."""
    NOISE = "noise"
    """Harmless by itself; counted and folded."""


class Severity(StrEnum):
    """How bad a daemon's message is by its meaning, not by the letter of its record."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Scope(StrEnum):
    """Whose logs a format's lines stand in; each has anchors of its own, so that none pays for the others'."""

    WORKERS = "workers"
    DAEMONS = "daemons"
    """Storage daemons: patterns are searched in the message alone, and a record is that of the first that matches."""


class Mark(StrEnum):
    """What a line tells that decisions ask for, whichever program wrote it."""

    STARTS = "starts"
    """Written once by each process, launcher or batch script as it starts: seen again, another attempt may begin."""
    RESTARTS = "restarts"
    """Announces that what follows is another attempt."""
    NEW_JOB = "new-job"
    """A scheduler gives a job its resources: what stands before, if it ended, was another job."""
    ENDS = "ends"
    """An attempt was ended, as its launcher or the scheduler sees it."""
    REFUSED = "refused"
    """A program did not begin, for its command line, settings or script: what stands further down is another's."""
    UNCAUGHT = "uncaught"
    """A run-time system, or a program, tells of an error that nobody caught, and ends: in `msg` or the next line."""
    COMMAND = "command"
    """What became of one command of a script, which goes on with the next one."""
    STEP_FAILED = "step-failed"
    """A workflow's engine tells that the command of a step failed: what that said stands near, above or below."""
    SHELL_SAW_END = "shell-saw-end"
    """A shell's word of how the process of one line of its script ended; `command` is that line."""
    REPORTS = "reports"
    """The scheduler's report at the end of a job: what follows in the file is the next job's output."""
    LAST_WORD = "last-word"
    """A launcher's last word on a program that failed: after it nothing is the program's."""
    LAUNCHES = "launches"
    """A launcher starts the ranks: what stands before it is the script's own."""
    NAMES_SELF = "names-self"
    """Names its writer's own rank, and often its local rank, host or pid."""
    NAMES_RANK = "names-rank"
    """Names the global rank it is about, whoever prints it."""
    NAMES_TASKS = "names-tasks"
    """Names the tasks it is about, and their hosts."""
    EXIT_CODE = "exit-code"
    """Its exit code is one of the job's own processes."""
    WORKER_EXIT = "worker-exit"
    """An agent's word of how one worker ended: who, and with which code. Ends are compared with each other."""
    CHILD_EXIT = "child-exit"
    """A parent's word of a child's end, by exit code or `signal`; `index` is its local rank."""
    TASK_EXIT = "task-exit"
    """A task ended; its launcher ends the others after the first one."""
    STOPS_WORKERS = "stops-workers"
    """A launcher stops the processes of its node."""
    SIGNALLED = "signalled"
    """A launcher tells of a signal to itself, or to a child that nobody else stopped."""
    TOLD_TO_STOP = "told-to-stop"
    """The program itself tells of a signal to end."""
    TIME_LIMIT = "time-limit"
    """The job ran into its time limit."""
    UNNUMBERED_STEP = "unnumbered-step"
    """Printed once a step, without its number."""
    LENGTHENS_STEP = "lengthens-step"
    """An evaluation, a checkpoint, a collection of garbage: the step that ends after it holds it."""
    SAVED = "saved"
    """A checkpoint is complete."""
    NONE_LOADED = "none-loaded"
    """No checkpoint was found to go on from."""
    UNSURE_END = "unsure-end"
    """An ending that programs also print on their way out of an exception."""
    SCRIPT_END = "script-end"
    """The script says it that ran the program: a failure right above was hidden from it, by a pipe or a launcher."""
    ANY_END = "any-end"
    """An ending of anything that a job runs, a test of a node before it too."""
    TARGET_MET = "target-met"
    """The run reached what it ran for."""
    TARGET_MISSED = "target-missed"
    """The run says itself that it stopped without what it ran for."""
    ORDERLY = "orderly"
    """An echo of failures that orderly ends have too."""
    AFTER_EXIT = "after-exit"
    """An echo of a process that has left of its own accord, before the others."""
    PEER_CLOSED = "peer-closed"
    """The library itself says that a peer closed the connection: what else it says is the echo of that."""
    PEER_GONE = "peer-gone"
    """What survivors print when the other end of a connection is gone."""
    GPU_FAULT = "gpu-fault"
    """The driver reports a fault of the GPU itself."""
    STICKY = "sticky"
    """An error of a GPU that stays: every later call of its process repeats it, whatever others still print."""
    LASTS = "lasts"
    """A condition that further steps do not end: the numbers are gone."""
    WAITS = "waits"
    """Says that ranks wait; the timeline shows the first ones."""
    FORMED = "formed"
    """The processes of a job have met, and work: what kept them from it before is over."""
    GAVE_UP_WAITING = "gave-up-waiting"
    """Its rank waited for others until its limit: who does not say so is whom they waited for."""
    HAMPERS = "hampers"
    """A condition of a host, or of a start, under which a job runs on, but slower or smaller than was meant."""
    PASSING = "passing"
    """Noise where training goes on after it, evidence where it does not; the timeline shows the first ones."""
    DROPS_SAMPLES = "drops-samples"
    """The loader of a rank left samples out: ranks that do so unlike often have unlike numbers of batches."""
    TAKES_DOWN = "takes-down"
    """A watchdog takes its process down."""
    REQUEST_FAILED = "request-failed"
    """A client of storage speaks of a failed request."""
    REQUEST_RETRIED = "request-retried"
    """A client of storage tries again: noise while it recovers."""
    REQUEST_GIVEN_UP = "request-given-up"
    """A client of storage gives a request up for good."""


NEEDS: dict[Mark, frozenset[str]] = {
    Mark.NAMES_SELF: frozenset({"rank"}),
    Mark.NAMES_RANK: frozenset({"rank"}),
    Mark.NAMES_TASKS: frozenset({"tasks", "hosts"}),
    Mark.EXIT_CODE: frozenset({"exitcode"}),
    Mark.WORKER_EXIT: frozenset({"exitcode", "local_rank", "pid"}),
    Mark.CHILD_EXIT: frozenset({"exitcode"}),
    Mark.TASK_EXIT: frozenset({"tasks", "hosts", "status"}),
}
"""The groups that a mark's readers read: a pattern without them cannot have the mark."""


class Landmark(StrEnum):
    """A turn in a run, as the timeline marks it."""

    RESTART = "restart"
    ATTEMPT = "attempt"
    CHECKPOINT = "checkpoint"
    RESUMED = "resumed"


@dataclass(frozen=True, slots=True)
class Sample:
    """A line as the producer writes it (values of our own), and what must be read from it."""

    text: str
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Pattern:
    """One kind of line."""

    name: str
    """`area.what`, unique over all formats, a public name: rules and counts refer to it."""
    anchors: tuple[str, ...]
    """Literals of at least seven bytes; every matching line holds one of them."""
    regex: str
    """Searched in the line; named groups are the fields. Confirms a hit, so it may be strict."""
    samples: tuple[Sample, ...]
    role: Role
    cls: FailureClass | None = None
    """The failure class this line speaks for, where it speaks for one."""
    weight: int = 50
    """How specific the line is as a cause, 0 to 100: a named hardware fault is 90, a bare exception 40."""
    bulk: bool = False
    """Comes in storms: exact counts, but only the first and last few per (rank, file) are kept."""
    unsigned: bool = False
    """Every rank says it, in some releases without its number, or it tells of other ranks each time: of a file that
    holds all ranks, each line counts."""
    numeric: tuple[str, str] | None = None
    """Two groups kept as numbers for every line, without its text: for step lines, of which there are millions.

    The step, and its time, whose name is its unit (`UNITS_MS`); "" where the line has no time.
    """
    follow: int = 0
    """Lines after the matched one that may belong to the record (a traceback, a block); read when needed."""
    continues: str = ""
    """What the next line says, behind its writer's mark, where the record goes on there: text that its writer quotes
    ends in a newline. The regex sees the first line alone."""
    title: str = ""
    """What people read in the timeline; the line itself where empty. May hold placeholders, as advice may."""
    note: str = ""
    """Versions, meaning, traps: shown where the line is cited. May hold placeholders, as advice may."""
    advice: tuple[Advice, ...] = ()
    """What to do where a verdict rests on the line."""
    words: Mapping[str, tuple[str, Mapping[str, str]]] = field(default_factory=dict)
    """A placeholder → a group, and what to put there for each of its values: the meaning of a code."""
    severity: Severity = Severity.INFO
    """How bad a daemon's message is; workers' lines are judged by rules."""
    versions: str = ""
    """Releases that write it: `4.1-4.4`, `4.5+`, `all`."""
    blames: str = ""
    """What a daemon's message points at when it is a cause: `disk`, `memory`, `cpu`, `load`, `peer`, `network`,
    `capacity`, `membership`, `restart`, `client`, `backend`, `config`, `data`."""
    marks: tuple[Mark, ...] = ()
    """What decisions ask of the line."""
    landmark: Landmark | None = None
    """The turn in a run that it is."""
    program: str = ""
    """The area of the program that it tells of, where that is not the area of its own name."""

    def __post_init__(self) -> None:
        """Raises ValueError where a mark needs a group that the regex lacks, or a step's time has no known unit."""
        for mark in self.marks:
            if lacking := NEEDS.get(mark, frozenset()) - self.fields:
                raise ValueError(f"{self.name}: a line that {mark} needs the groups {sorted(lacking)}")
        if self.numeric is not None and self.numeric[1] and self.numeric[1] not in UNITS_MS:
            raise ValueError(f"{self.name}: the unit of a step's time is one of {sorted(UNITS_MS)}: {self.numeric[1]}")

    def values(self, fields: Mapping[str, str]) -> dict[str, str]:
        """What title and advice can be filled in with, from a line's fields."""
        told = {name: words.get(fields.get(group, ""), "") for name, (group, words) in self.words.items()}
        return {**{k: v for k, v in fields.items() if v}, **told}

    def titled(self, fields: Mapping[str, str]) -> str:
        """The title of a line with these fields; "" where it has none."""
        return fill(self.title, self.values(fields)) or "" if "{" in self.title else self.title

    @property
    def area(self) -> str:
        """Which program, or which part of one, it tells of: the part of the name before the dot, as a rule."""
        return self.program or self.name.partition(".")[0]

    @property
    def unit_ms(self) -> float:
        """Milliseconds in the unit of its step time; 1 where it has none."""
        return UNITS_MS[self.numeric[1]] if self.numeric is not None and self.numeric[1] else 1.0

    @cached_property
    def fields(self) -> frozenset[str]:
        """Names of the regex's groups, read without compiling it: most regexes of a run are never needed."""
        return frozenset(_GROUP.findall(self.regex))

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The regex, compiled once, with a bound for every repeat."""
        return compile_bounded(self.regex)


class Kind(StrEnum):
    """What a program is to a job."""

    FRAMEWORK = "framework"
    """Trains; may be named as the job's framework."""
    LAUNCHER = "launcher"
    """Starts the ranks; may be named as the job's launcher."""
    SCHEDULER = "scheduler"
    """Gives the job its nodes; may be named as the job's scheduler."""
    AGENT = "agent"
    """Starts processes for a launcher or in its place, and gives a job no name."""
    LIBRARY = "library"
    """Speaks within programs: communication, progress bars, the driver."""


class Trait(StrEnum):
    """What decisions ask of a program, whatever it is called."""

    PER_NODE = "per-node"
    """Each node runs one of it."""
    JOINS_NODES = "joins-nodes"
    """Brings several nodes together."""
    SEVERAL_PER_TASK = "several-per-task"
    """Starts several ranks in one task of the scheduler: a task's number is no rank then."""
    ONE_OUTPUT = "one-output"
    """Several of its processes write into one file: a start seen again there is another process's."""
    DRIVEN = "driven"
    """One of its processes starts the others and prints their lines among its own: the job ends with that one."""
    TOGETHER = "together"
    """Runs several processes, or is what those say to each other: the job is not one process alone."""
    AT_WORK = "at-work"
    """Speaks only where a program is at work, and in a job of one process too."""
    WATCHDOG = "watchdog"
    """Speaks of a rank that has stopped: what a rank says from there on is no longer its own."""
    NO_SIGN_OF_LIFE = "no-sign-of-life"
    """Its lines are printed for a rank, or as it exits: they do not show that the rank still worked."""
    WARNS = "warns"
    """Warns of the network before a program raises the exception that repeats it."""
    ECHOES_DRIVER = "echoes-driver"
    """Repeats, in a program, what the driver may say of the GPU itself."""
    WHOLE_JOB = "whole-job"
    """Its word is about the whole job, and anything that went wrong before outranks it."""
    STOPS_SURVIVORS = "stops-survivors"
    """Its symptoms are how what was left of a job was ended."""


class Source(StrEnum):
    """Who speaks, as the timeline groups lines."""

    WORKER = "worker"
    NCCL = "nccl"
    LAUNCHER = "launcher"
    SCHEDULER = "scheduler"
    KERNEL = "kernel"


@dataclass(frozen=True)
class Program:
    """Who writes the lines of some areas. An area may be two programs': a framework with a launcher of its own."""

    kind: Kind
    areas: tuple[str, ...]
    """Areas of patterns, of any format, that are its lines."""
    title: str = ""
    """As the report names it; needed where its kind gives a job a name."""
    outer: int = 0
    """Of several of a kind in one job the one with the highest is named: NeMo prints Megatron's lines."""
    traits: tuple[Trait, ...] = ()
    source: Source = Source.WORKER


@dataclass(frozen=True)
class LineFormat:
    """The patterns of one producer."""

    name: str
    title: str
    reference: str
    """Where the templates come from: program, file, versions."""
    patterns: tuple[Pattern, ...]
    programs: tuple[Program, ...] = ()
    """Whose lines they are, where a decision asks for it."""
    scope: Scope = Scope.WORKERS

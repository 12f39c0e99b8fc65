"""A line that states its cause by itself: hardware, memory, scheduler, kernel, network."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from logtui.diagnosis.evidence import cite
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.events import Event, is_scheduler
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.predicates.before_job import before_the_job
from logtui.diagnosis.predicates.before_limit import failed_before
from logtui.diagnosis.predicates.blame import driver_blames_gpu, own_hosts, rank_of_first_exit, singled_out
from logtui.diagnosis.predicates.fatality import fatal_exceptions, of_older_run
from logtui.diagnosis.predicates.file_ends import long_past
from logtui.diagnosis.predicates.formed import MISSING, PORT_TAKEN, awaits_others, formed_after, got_its_port
from logtui.diagnosis.predicates.handled import announces_handled
from logtui.diagnosis.predicates.hangs import blamed
from logtui.diagnosis.predicates.lasting import ever_since
from logtui.diagnosis.predicates.left_out import left_out
from logtui.diagnosis.predicates.shell_words import did_without, went_past
from logtui.diagnosis.predicates.went_on import trained_apart
from logtui.diagnosis.predicates.worked_on import worked_on
from logtui.diagnosis.rules.ranking import SPECIFIC, declared
from logtui.diagnosis.verdict.rule import Claim, Rule
from logtui.parsers.numbers import whole, wholes_in
from logtui.parsers.pattern import FailureClass, Mark, Trait
from logtui.parsers.prefix.hostlist import expand
from logtui.parsers.prefix.origin import RankFrom
from logtui.parsers.records.record import Record
from logtui.parsers.registry import registry
from logtui.parsers.source import FileKind

OF_ONE_RANK = frozenset({FailureClass.GPU_HARDWARE, FailureClass.GPU_OOM, FailureClass.CUDA_SOFTWARE})
OF_COMMANDS = frozenset({FailureClass.CONFIG, FailureClass.SOFTWARE, None})
"""Classes of failures that may come of a command that was not found, or did not do its work."""
ECHO_OF = {
    "nccl_net.ib_retry_exceeded": ("nccl_net.async_error", "nic.link_down"),
    "nccl_device.nvls": ("fabricmanager.setup", "fabricmanager.fatal"),
    "mpich.killed": ("mpich.crashed",),
    "comm.internal_error": ("nccl_error.peer_closed", "nccl_error.peer_reset"),
}
"""Causes that are echoes where one of these stands in the files."""
INTERRUPTED = "py.stopped_by_user"
OUTSPOKEN = 100
"""Lines behind a warning of which it is known that its program went on."""


def _find(facts: Facts) -> Iterator[Claim]:
    alike: dict[str, list[Event]] = defaultdict(list)
    for event in facts.causes:
        if event.cls is None or is_scheduler(event) or _judged_elsewhere(event) or left_out(facts, event.record):
            continue
        if not facts.quoted(event.record):
            alike[event.name].append(event)
    for events in alike.values():
        fatal = [e for e in events if not facts.recovered(e.record)]
        whole = ever_since(facts, events)
        mine = events if whole or (fatal and _each_time(events)) else fatal or events
        yield _claim(facts, mine, whole or bool(fatal), whole=whole)


def _judged_elsewhere(event: Event) -> bool:
    """Exit codes are compared with each other, exceptions classified, by rules of their own."""
    return event.name == "py.exception" or Mark.WORKER_EXIT in event.record.pattern.marks


def _claim(facts: Facts, events: list[Event], fatal: bool, *, whole: bool) -> Claim:
    """The claim about lines that say the same; `whole` if it lasted to the end, whatever the job says there."""
    first = events[0]
    assert first.cls is not None, "events without a class were left out"
    if Mark.TASK_EXIT in first.record.pattern.marks:
        events = events[:1]  # the launcher ends the other tasks itself: the rest is its own doing
    named = {r for e in events for r in _ranks_of(facts, e)} or _ranks_implied(facts, first, _hosts_named(events))
    ranks = singled_out(facts, named)
    hosts = (
        _hosts_named(events) or own_hosts(facts, ranks) or tuple(dict.fromkeys(e.host for e in events if e.host))[:4]
    )
    judged = events[-1] if _each_time(events) else first
    return Claim(
        title=_title(first, ranks, hosts),
        cls=first.cls,
        first=cite(facts.case, first.record, first.rank),
        order=first.order,
        rung=declared(first.weight),
        ranks=ranks,
        hosts=hosts,
        supporting=tuple(cite(facts.case, e.record, e.rank) for e in events[:4]),
        refuted="" if whole else _told_better(facts, judged) if fatal else "training went on after it",
        direct=first.weight >= SPECIFIC,
        outlives=whole,
    )


EACH_TIME = 3
"""So often a script runs the same command in vain, and each time."""


def _each_time(events: Sequence[Event]) -> bool:
    """Whether a script tried one command again and again."""
    return Mark.COMMAND in events[0].record.pattern.marks and len(events) >= EACH_TIME


def _told_better(facts: Facts, event: Event) -> str:
    """Why a line is the echo of another host's: a peer that does not answer, and a host whose own port failed."""
    for name in ECHO_OF.get(event.name, ()):
        for record in facts.case.records.of(name):
            if not facts.recovered(record):
                return f"the other end reports its own fault ({facts.case.file_name(record)}:{record.line})"
    if awaits_others(event.record) and (later := formed_after(facts, event.record)):
        return f"the job formed all the same ({later})"
    record = event.record
    if survived := _passed(facts, event) or _went_on_without(facts, record):
        return survived
    if survived := _killed_before(facts, record) or _raised_before(facts, record) or before_the_job(facts, record):
        return survived
    if Mark.TIME_LIMIT in event.record.pattern.marks and (failed := failed_before(facts, event.record)):
        return failed
    if went_on := _program_went_on(facts, record):
        return went_on
    if event.record.pattern.area in registry().areas_with(Trait.ECHOES_DRIVER):
        return driver_blames_gpu(facts, event.cls, event.host, event.record)
    return ""


def _program_went_on(facts: Facts, record: Record) -> str:
    """What shows that a line did not end its program."""
    if of_older_run(facts, record):
        return "another run was started behind it"
    if announces_handled(facts, record) and not awaits_others(record):
        return "its program caught it, and worked on"
    if _ended_by(record):
        return ""
    if not facts.lived and long_past(facts, record):
        return "the program went on and says at its end that it is done"
    return worked_on(facts, record)


def _ended_by(record: Record) -> bool:
    """Whether a line says that somebody ended the program: what it then tidies up, it says calmly."""
    return Mark.TOLD_TO_STOP in record.pattern.marks or record.pattern.name == INTERRUPTED


def _passed(facts: Facts, event: Event) -> str:
    """What shows that a step of a script, or a wait for other ranks, was not the end of all."""
    if went_past(facts, event.record):
        return "the script went on with other steps, to a calm end"
    if got_its_port(facts, event.record):
        return "it was started again behind it, and works"
    waited = event.cls is FailureClass.COLLECTIVE_MISMATCH and facts.stepped_on(event.record)
    return "training went on after it" if waited else ""


def _went_on_without(facts: Facts, record: Record) -> str:
    """What shows that a script went on without a command of its own, or a program with what it warned of."""
    command = Mark.COMMAND in record.pattern.marks or _OF_PIP.match(record.first_line) is not None
    if command and trained_apart(facts, record.file, record.line):
        return "the script went on without it, and trained"
    if did_without(facts, record):
        return "the script went on without it"
    logged = _WARNED.search(record.first_line[:HEAD])
    warned = logged is not None and logged["logger"] is None
    served = record.pattern.name == PORT_TAKEN and _LOGGED.search(record.first_line[:HEAD]) is not None
    if (command or warned or served) and (later := _raised_later(facts, record)):
        return f"the program went on without it, and failed of something else ({later})"
    if facts.exits.failed is not None or logged is None or _ended_by(record):
        return ""
    on = (warned and _far_from_the_end(facts, record)) or _logs_on(facts, record, logged)
    return "the program warned of it, and went on" if on else ""


def _far_from_the_end(facts: Facts, record: Record) -> bool:
    """Whether much is said behind a line: what a program warned of did not end it. Who waits for others says a lot too,
    and the interrupt that ends the wait says more."""
    waits = awaits_others(record) and not facts.lived
    return not waits and facts.case.line_count(record.file) - record.line > OUTSPOKEN


def _killed_before(facts: Facts, record: Record) -> str:
    """Where the shell saw a program of the same script killed: what later commands then lack, it would have made."""
    if not {Mark.COMMAND, Mark.REFUSED} & {*record.pattern.marks}:
        return ""
    above = (r for r in facts.case.records.marked(Mark.SHELL_SAW_END) if r.file == record.file and r.line < record.line)
    killed = next((r for r in above if not facts.recovered(r)), None)
    return f"a program of the script was killed before ({facts.case.file_name(killed)}:{killed.line})" if killed else ""


def _logs_on(facts: Facts, record: Record, warned: re.Match[str]) -> bool:
    """Whether the logger of a warning tells calmly what comes next; one that waits for others does that too."""
    if awaits_others(record) or record.pattern.weight >= SPECIFIC:
        return False
    calm = re.compile(rf"^[^A-Za-z]{{0,60}}{re.escape(warned['logger'] or '')}(?:[^A-Za-z]{{0,4}})\[?(?:INFO|DEBUG)\b")
    return any(calm.search(text[:HEAD]) for text in facts.case.following(record, SOON))


HEAD, SOON = 120, 20
"""Characters of a line in which its own level stands; lines behind a warning."""
_WARNED = re.compile(
    r"^[^A-Za-z]{0,60}(?:\(\w[\w.-]{0,40} pid=\d{1,9}(?:, ip=[\d.]{7,15})?\)[^A-Za-z]{1,20})?"
    r"(?P<logger>[A-Za-z_][\w.-]{1,60}(?= ?[-:|] ?\W{0,2}WARN))?"
    r"[^A-Za-z]{0,4}\[?(?:WARN(?:ING)?\b|Warning: )"
)
"""A program that logs a warning goes on."""
_OF_PIP = re.compile(
    r"ERROR: (?:Could not (?:open requirements file|find a version|install packages)|No matching distribution)"
)
"""What pip ends with; the script that called it goes on."""
_LOGGED = re.compile(r"^[^\n]{0,80}?\bERROR\b")
"""So does one that logs an error of a server beside its work, if what it raises then says nothing of a port."""


def _raised_later(facts: Facts, record: Record) -> str:
    """Where a program of the script, which found what it imports, raised below what became of one command."""
    later = (e for e in fatal_exceptions(facts) if e.record.file == record.file and e.record.line > record.line)
    told = (e for e in later if e.traceback.complete and not (e.headline.startswith(MISSING) and _as_it_loads(e)))
    own = (e for e in told if e.row.cls is not FailureClass.INFRASTRUCTURE)  # a Ctrl-C is no failure of its own
    return next((e.evidence.place for e in own), "") or _failed_later(facts, record)


def _as_it_loads(fact: ExceptionFact) -> bool:
    """Whether a program was still loading its modules; what it reads may want others, long after."""
    frames = fact.traceback.root.frames
    return not frames or frames[-1].function.startswith("<")


def _failed_later(facts: Facts, record: Record) -> str:
    """Where what ran after a command tells a failure of its own that no missing command explains."""
    later = (e for e in facts.causes if e.record.file == record.file and e.record.line > record.line)
    own = (e for e in later if e.weight >= SPECIFIC and e.cls not in OF_COMMANDS and not is_scheduler(e))
    return next((f"{facts.case.file_name(e.record)}:{e.record.line}" for e in own), "")


def _raised_before(facts: Facts, record: Record) -> str:
    """Where a process with a file of its own had raised before it was interrupted too, in files without times: who
    waits in vain for what a dead thread was to send is stopped by hand."""
    if record.pattern.name != INTERRUPTED or record.time is not None:
        return ""
    stopped: dict[int, int] = {}
    for other in facts.case.records.of(INTERRUPTED):
        stopped.setdefault(other.file, other.line)
    raised = (e for e in fatal_exceptions(facts) if e.record.file != record.file and e.record.time is None)
    own = (e for e in raised if e.row.cls is not FailureClass.INFRASTRUCTURE)
    first = next((e for e in own if e.record.line < stopped.get(e.record.file, 0)), None)
    return f"a process had raised before somebody gave it up ({first.evidence.place})" if first is not None else ""


STEP_DAEMON = "slurmstepd: "


def _ranks_of(facts: Facts, event: Event) -> list[int]:
    """Ranks that the line itself names, else the rank that wrote it; the word of a node's daemon under the label of
    a task is about the node."""
    fields, marks = event.record.fields, event.record.pattern.marks
    if Mark.NAMES_TASKS in marks:
        tasks = map(whole, expand(f"[{fields.get('tasks', '')}]", cap=4096))
        return [r for t in tasks if t is not None and (r := facts.identity.by_task.get(t)) is not None]
    if Mark.NAMES_RANK in marks and (named := event.record.number("rank")) is not None:
        return [named]
    if "culprits" in fields:
        return wholes_in(fields["culprits"])
    if event.rank is None and "pci" in fields:
        rank = facts.gpu_ranks.at(event.host, fields["pci"])
        return [rank] if rank is not None else []
    of_node = event.rank_from is RankFrom.TASK and STEP_DAEMON in event.record.first_line
    return [event.rank] if event.rank is not None and not of_node else []


def _ranks_implied(facts: Facts, first: Event, hosts: tuple[str, ...]) -> set[int]:
    """Ranks that a line means without naming them: those of a lost host, those killed for lack of memory."""
    if first.cls is FailureClass.INFRASTRUCTURE:
        return {r for h in hosts for r in facts.identity.ranks_on(h)}
    if first.cls is FailureClass.HOST_OOM:
        killed = {p.rank for p in facts.exits.first_failures if p.signal in ("SIGKILL", "SIGBUS")}
        first_end = facts.exits.first_failures[:1]
        return {r for r in killed or {p.rank for p in first_end if p.code != 1} if r is not None}
    if first.cls not in OF_ONE_RANK:
        return set()
    worker = facts.case.files[first.record.file].kind is FileKind.WORKER
    first_out = rank_of_first_exit(facts, first.record.file) - facts.collectives.timed_out if worker else set()
    return first_out or _left_out(facts, hosts)


def _left_out(facts: Facts, hosts: tuple[str, ...]) -> set[int]:
    """The one rank that never entered what all others wait in: whose GPU failed there, where it ran on that host."""
    absent = {rank for _, ranks in blamed(facts, "never-entered") for rank in ranks}
    there = not hosts or all(facts.identity.hosts.get(rank) in (None, *hosts) for rank in absent)
    return absent if len(absent) == 1 and there else set()


def _hosts_named(events: list[Event]) -> tuple[str, ...]:
    """Hosts that the lines themselves name."""
    named = [h for e in events if (field := e.record.fields.get("hosts")) for h in expand(field, cap=64)]
    return tuple(dict.fromkeys(named))[:8]


def _title(event: Event, ranks: tuple[int, ...], hosts: tuple[str, ...]) -> str:
    if ranks:
        who = f"rank {ranks[0]}" if len(ranks) == 1 else f"{len(ranks)} ranks"
        return f"{who}: {event.title}"
    return f"{hosts[0]}: {event.title}" if hosts else event.title


RULE = Rule(
    id="declared-cause",
    title="A line that states the cause",
    claim="Hardware, memory, kernel, scheduler or network say in their own words what failed.",
    needs="a line whose declared role is cause",
    refuted_by="training went on after it; an earlier cause as specific",
    find=_find,
)

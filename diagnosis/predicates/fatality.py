"""What ended a process and what it survived: exceptions told apart by what came after them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from weakref import WeakKeyDictionary

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import FRAME, ExceptionFact, quotes_rank
from logtui.diagnosis.facts.openings import Writers, writers
from logtui.diagnosis.facts.outcome import REPORTED_LINES, SHORTLY, TEARDOWN_LINES
from logtui.diagnosis.facts.phases import AFTER_TRAINING, phase_of
from logtui.diagnosis.facts.run_pl import stopped_command
from logtui.diagnosis.predicates.died_above import OF_RESOURCES, died_above, logged_below_error, script_died_below
from logtui.diagnosis.predicates.ended_later import ended_later
from logtui.diagnosis.predicates.formed import formed_after
from logtui.diagnosis.predicates.handled import OUTERMOST, handled, within_handled
from logtui.diagnosis.predicates.lasting import lasting
from logtui.diagnosis.predicates.left_for_good import went_on_without_harm
from logtui.diagnosis.predicates.missed_others import missed_others, tells_of_others
from logtui.diagnosis.predicates.outlived import outlived
from logtui.diagnosis.predicates.raised_elsewhere import raised_elsewhere
from logtui.diagnosis.predicates.recurring import OFTEN, recurs
from logtui.diagnosis.predicates.shell_words import shell_words
from logtui.diagnosis.predicates.went_on import went_on
from logtui.diagnosis.rules.ranking import SPECIFIC, TELLING, WEIGHTY
from logtui.parsers.pattern import FailureClass, Mark, Role
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex
from logtui.parsers.source import FileKind
from logtui.parsers.structure.families import PROGRAM, place

_FATAL: WeakKeyDictionary[Facts, tuple[ExceptionFact, ...]] = WeakKeyDictionary()
"""Half of the rules ask."""
_OLDER: WeakKeyDictionary[Facts, list[ExceptionFact]] = WeakKeyDictionary()
"""Those that were dropped since something else was raised far below in the same place."""


def fatal_exceptions(facts: Facts) -> tuple[ExceptionFact, ...]:
    """Exceptions that can have ended their process: not ignored, not echoes, nothing trained after them."""
    if facts not in _FATAL:
        _FATAL[facts] = tuple(_fatal(facts))
    return _FATAL[facts]


def _fatal(facts: Facts) -> Iterator[ExceptionFact]:
    fatal = [
        e
        for e in facts.exceptions
        if not e.ignored
        and e.row.role is Role.CAUSE
        and not went_on_without_harm(facts, e.record, e.rank, e.until)
        and not went_on(facts, e)
        and not superseded(facts, e)
        and not facts.is_of_older_run(e.record)
        and not (e.row.cls is FailureClass.INIT_RENDEZVOUS and formed_after(facts, e.record))
        and not raised_after_own_timeout(facts, e)
        and not told_of_lost_peer(facts, e)
        and not recurs(facts, e)
        and not outlived(facts, e.record)
        and not handled(facts, e)
    ]
    missed = missed_others(facts)
    fatal = [e for e in fatal if e.rank not in missed or not tells_of_others(e)]
    older = _OLDER[facts] = _of_older_runs(facts, fatal)
    fatal = [e for e in fatal if not any(e is o or o.covers(e.record) for o in older)]
    fatal, started = _as_first_raised(facts, without_ended(without_retold(fatal))), _first_launches(facts)
    yield from (e for e in fatal if not raised_before_launch(e, started.get(e.record.file, 0), fatal))


def of_older_run(facts: Facts, record: Record) -> bool:
    """Whether another run was started behind a line: one of which no line is known; or it is an exception's, behind
    which the same script, or function, went on to another failure, or stands among many of them."""
    if facts.is_of_older_run(record):
        return True
    fatal_exceptions(facts)  # which finds them
    mine = [e for e in _OLDER[facts] if e.record.file == record.file]
    among = len(mine) >= OFTEN and mine[0].record.line <= record.line <= mine[-1].record.line
    return among or any(e.covers(record) for e in mine)


INTERRUPT = "KeyboardInterrupt"
BETWEEN, MOST_TOLD = 100, 512
"""Lines of output that show that a program which nobody saw start was at work again; exceptions that are compared."""


def _of_older_runs(facts: Facts, fatal: Sequence[ExceptionFact]) -> list[ExceptionFact]:
    """Those of which the same script, alone in its file, ended of something else far below: what nobody catches ends a
    process, so that another one was at work between. What the same function catches again and again it outlives."""
    if facts.exits.failed is not None or len(facts.seen_ranks) > 1 or not 1 < len(fatal) <= MOST_TOLD:
        return []
    told = [(e, (e.record.file, script)) for e in fatal if e.traceback.complete and (script := _script_of(facts, e))]
    last: dict[tuple[int, str], dict[str, int]] = {}
    for e, key in told:
        lines = last.setdefault(key, {})
        lines[e.headline] = max(e.record.line, lines.get(e.headline, 0))
    others = {key: sorted(lines.items(), key=lambda said: -said[1])[:2] for key, lines in last.items()}
    alone = {key: _ends_alone(facts, *key) for key in last}
    return [
        e
        for e, key in told
        if any(
            headline != e.headline and line > e.record.line + e.traceback.last_index + _between(headline, alone[key])
            for headline, line in others[key]
        )
    ]


def _between(headline: str, alone: bool) -> int:
    """Lines of output that must stand between an exception and a later one: none where each ended the whole script,
    but for who pressed Ctrl-C, who may have done so since others had failed."""
    return 0 if alone and not headline.startswith(INTERRUPT) else BETWEEN


def _ends_alone(facts: Facts, file: int, script: str) -> bool:
    """Whether an exception ended a whole script, which a process does but once, and nobody writes beside it."""
    return " " not in script and writers(facts.case, file) is Writers.ONE


def _script_of(facts: Facts, fact: ExceptionFact) -> str:
    """The script through whose own first frame an exception went, or the function that caught it and printed it; ""
    where neither is told."""
    file, function = _outermost(facts, fact)
    if place(file) == PROGRAM and function not in OUTERMOST:
        return f"{file} {function}"
    return file if function == "<module>" else ""


def _outermost(facts: Facts, fact: ExceptionFact) -> tuple[str, str]:
    """The file and the function of the first frame of an exception, as its lines show it; of a chain that of its last
    part."""
    if fact.traceback.chain:
        frame = next(iter(fact.traceback.frames), None)
        return ("", "") if frame is None else (frame.file, frame.function)
    below = facts.case.following(fact.record, 1)[1:]
    shown = next((m for text in below if (m := FRAME.match(text))), None)
    return ("", "") if shown is None else (shown["file"], shown["function"])


def _first_launches(facts: Facts) -> dict[int, int]:
    """By file the first line in which ranks are started."""
    first: dict[int, int] = {}
    for record in facts.case.records.marked(Mark.LAUNCHES):
        first[record.file] = min(record.line, first.get(record.file, record.line))
    return first


def without_retold(raised: list[ExceptionFact]) -> list[ExceptionFact]:
    """Without a checkpoint's exception on every rank where what the failing ranks raised is quoted after it."""
    if not any(quotes_rank(e.record) and e.traceback.complete for e in raised):
        return raised
    return [e for e in raised if not e.traceback.exception.endswith("CheckpointException")]


QUOTE, MOST_CLIENTS = 40, 64
"""Characters of a message that do not come twice by chance; of more exceptions each is not compared with all."""


def _as_first_raised(facts: Facts, fatal: list[ExceptionFact]) -> list[ExceptionFact]:
    """With what another process had raised in the place of what a client raised, who quotes it: a server answers with
    its own error, and works on."""
    if len(fatal) > MOST_CLIENTS:
        return fatal
    found = [_told_in(facts, e) or e for e in fatal]
    return [e for n, e in enumerate(found) if not any(e is other for other in found[:n])]


def _told_in(facts: Facts, fact: ExceptionFact) -> ExceptionFact | None:
    """What was raised above an exception, and whose message stands within its own."""
    said = fact.headline.partition(": ")[2]
    for other in facts.exceptions_of(fact.record.file) if len(said) > QUOTE else ():
        message = other.headline.partition(": ")[2][: 2 * QUOTE]
        above = other.order < fact.order and other.row.role is Role.CAUSE
        if above and len(message) >= QUOTE and said.find(message) > 0:
            return other
    return None


TOLD_TO_END = "stopped from outside with SIGTERM"
"""What a process raises at the signal with which its launcher ends the ranks that are left."""
_BY_SIGNAL = re.compile(r"\bsignal\b|Terminated")


def without_ended(raised: list[ExceptionFact]) -> list[ExceptionFact]:
    """Without those that were told to end, where another process says what it failed of itself."""
    own = (e for e in raised if e.row.title != TOLD_TO_END and e.traceback.complete)
    if all(_BY_SIGNAL.search(e.headline) for e in own):
        return raised
    return [e for e in raised if e.row.title != TOLD_TO_END]


def raised_before_launch(fact: ExceptionFact, started: int, others: list[ExceptionFact]) -> bool:
    """Whether a script's own helper raised it: the ranks were started after it, at some line, and one of them failed
    later."""
    if fact.rank is not None or fact.record.task is not None or fact.record.host is not None:
        return False
    file, line = fact.record.file, fact.record.line
    if started < line:
        return False
    return any(e.rank is not None and e.record.file == file and e.record.line > line for e in others)


NO_OWN_WORD = "NCCL: internal check failed", "NCCL failed inside"
"""What NCCL says where it has no word of its own for what failed."""


def told_of_lost_peer(facts: Facts, fact: ExceptionFact) -> str:
    """Where NCCL says that a peer's connection closed, if all the exception adds is that something inside failed."""
    if fact.row.title not in NO_OWN_WORD:
        return ""
    for record in facts.case.records.marked(Mark.PEER_CLOSED):
        if record.file == fact.record.file and not facts.recovered(record):
            return f"{facts.case.file_name(record)}:{record.line}"
    return ""


def superseded(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether it belongs to an attempt after which torchrun's tree has a later one that raised too."""
    attempt = facts.case.files[fact.record.file].hints.attempt
    if attempt is None:
        return False
    others = (facts.case.files[e.record.file].hints.attempt for e in facts.exceptions if e.row.role is Role.CAUSE)
    return any(a is not None and a > attempt for a in others)


def raised_after_own_timeout(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether the rank's own collective had timed out before: what it raises then is garbage."""
    if fact.rank is None:
        return False
    for group in facts.collectives.groups.values():
        timeout = group.timeouts.get(fact.rank)
        if timeout is None:
            continue
        same_file = timeout.record.file == fact.record.file
        if same_file and timeout.record.line < fact.record.line:
            return True
        if not same_file and timeout.record.time is not None and (fact.record.time or 0.0) > timeout.record.time:
            return True
    return False


def why_survived(facts: Facts, fact: ExceptionFact) -> str:
    """Why an exception cannot have ended its process; "" where nothing says so."""
    if fact.ignored:
        return "the program printed it and went on"
    if went_on_without_harm(facts, fact.record, fact.rank, fact.until):
        return "training went on after it"
    if recurs(facts, fact):
        return "it came again and again, and steps were made between"
    if outlived(facts, fact.record):
        return "more than a thousand lines of work stand behind it"
    if handled(facts, fact):
        return "the program caught it, and worked on"
    if superseded(facts, fact):
        return "a later attempt ran, and failed of its own"
    if facts.is_of_older_run(fact.record):
        return "another run was started behind it"
    if went_on(facts, fact):
        return "the program went on without it"
    if raised_after_own_timeout(facts, fact):
        return "raised after the rank's own collective had timed out"
    if place := told_of_lost_peer(facts, fact):
        return f"NCCL had lost a peer ({place})"
    return ""


def _unmet(facts: Facts) -> Record | None:
    """The line in which the last run says that it stopped without what it ran for."""
    ended = [*facts.case.records.marked(Mark.TARGET_MET, Mark.TARGET_MISSED)]
    last = max(ended, key=lambda r: (r.time or 0.0, r.file, r.line), default=None)
    return last if last is not None and Mark.TARGET_MISSED in last.pattern.marks else None


def dead_ranks(facts: Facts) -> dict[int, str]:
    """Ranks that died of something of their own, and of what: they left their collectives, they did not stall."""
    dead: dict[int, str] = {}
    for fact in fatal_exceptions(facts):
        if fact.rank is not None:
            dead.setdefault(fact.rank, f"{fact.headline[:80]} ({fact.evidence.place})")
    for end in facts.exits.first_failures:
        if end.rank is not None and end.code != 1:
            dead.setdefault(end.rank, f"exit code {end.code}")
    for file, line, word, _ in shell_words(facts):
        if (rank := facts.identity.by_file.get(file)) is not None:
            dead.setdefault(rank, f"{word} ({facts.case.files[file].name}:{line})")
    for event in facts.causes:
        if event.rank is not None and event.weight >= WEIGHTY and not facts.recovered(event.record):
            dead.setdefault(event.rank, f"{event.title} ({facts.case.file_name(event.record)}:{event.record.line})")
    return dead


def died(facts: Facts, ranks: Iterable[int]) -> str:
    """Why ranks that seem to have stalled did not: the first of them that died, and of what; "" where none did."""
    dead = dead_ranks(facts)
    return next((f"rank {r} did not stall, it died: {dead[r]}" for r in ranks if r in dead), "")


def failed_all_the_same(facts: Facts) -> str:
    """Why a completion line does not mean that the job is healthy; "" where it does."""
    ending = facts.outcome.completed
    if ending is None:
        return ""
    failed = facts.exits.failed
    if failed is not None and not _before_all_work(facts, failed):
        return f"a process failed all the same ({facts.case.file_name(failed)}:{failed.line})"
    unmet = _unmet(facts)
    if unmet is not None:
        return f"the job itself says that it fell short of its target ({facts.case.file_name(unmet)}:{unmet.line})"
    for fact in fatal_exceptions(facts):
        record = fact.record
        after = facts.outcome.before(record.file, record.line, record.time)
        if (after and (fact.row.weight >= SPECIFIC or _of_a_later_phase(facts, fact))) or (
            not facts.outcome.sure and record.file == ending.file and (not after or _ends_all(facts, ending, fact))
        ):
            return f"{fact.headline[:80]} ({fact.evidence.place})"
    own = (
        _shell_saw_it_end(facts, ending)
        or died_above(facts, ending, fatal_exceptions(facts))
        or _stayed_behind(facts, ending)
    )
    own = (
        own
        or _stopped_itself(facts, ending)
        or ended_later(facts)
        or _failed_as_a_whole(facts, ending)
        or _broke_after(facts)
        or _command_stopped(facts)
        or script_died_below(facts, ending)
        or raised_elsewhere(facts, ending, fatal_exceptions(facts))
    )
    if not own and (place := lasting(facts)):
        return f"the numbers were gone long before ({place})"
    return own or ("" if facts.outcome.sure else _stopped_before(facts, ending))


def _ends_all(facts: Facts, ending: Record, fact: ExceptionFact) -> bool:
    """Whether an exception is the last that a file says, behind a training that stopped early: one part of the work."""
    last = fact.record.line + fact.traceback.last_index
    alone = not any(text.strip() for text in facts.case.bodies(fact.record.file, last + 1, RIGHT_BELOW))
    return alone and fact.traceback.complete and ending.name == "completion.early_stopping"


def _shell_saw_it_end(facts: Facts, ending: Record) -> str:
    """What the shell says of the program's end shortly above a word of completion, which is the script's own then;
    a program that had come to its end itself may crash as it leaves."""
    for record in facts.case.records.marked(Mark.SHELL_SAW_END):
        near = record.file == ending.file and 0 < ending.line - record.line <= TEARDOWN_LINES
        if near and not facts.recovered(record) and not _came_to_its_end(facts, record):
            return f"{record.first_line.strip()[:80]} ({facts.case.file_name(record)}:{record.line})"
    return ""


def _stopped_itself(facts: Facts, ending: Record) -> str:
    """Where a program says, some lines above its end, that it stopped at a time limit of its own."""
    own = (r for r in facts.case.records.of("espresso.time_limit") if r.file == ending.file)
    limit = next((r for r in own if 0 < ending.line - r.line <= REPORTED_LINES), None)
    return f"it stopped at its own time limit ({facts.case.file_name(limit)}:{limit.line})" if limit is not None else ""


def _failed_as_a_whole(facts: Facts, ending: Record) -> str:
    """What a program says of all that it was to do, right above a word of completion or at the end: that it failed."""
    first = max(1, ending.line - TEARDOWN_LINES)
    above = enumerate(facts.case.bodies(ending.file, first, ending.line - first), first)
    last = facts.case.line_count(ending.file)
    behind = max(ending.line + 1, last - AT_THE_END + 1)
    below = enumerate(facts.case.bodies(ending.file, behind, AT_THE_END), behind)
    told = ((_WHOLE_FAILED, above), (_PIPELINE_FAILED, below))
    failed = ((n, found[0]) for words, lines in told for n, text in lines if (found := words.search(text)))
    return next((f"{said[:80]} ({facts.case.file_name(ending)}:{n})" for n, said in failed), "")


AT_THE_END = 60
"""Lines at the end of a file among which a pipeline may say that it failed."""
_PIPELINE_FAILED = regex(
    r"(?i)^\W{0,8}(?:[\w.-]{1,40} ){0,3}(?:pipeline|workflow|training|experiment|program|job|run)\b"
    r"(?: [\w.-]{1,20}){0,2} failed(?: with (?:an )?(?:error|exception)| due to|:(?= ?\w))(?!.{0,20}\d ?%).{0,160}"
)
"""What it says so with, whichever of its stages had been completed before."""
_WHOLE_FAILED = regex(
    r"(?i)\berror\b\W{1,8}error (?:executing|running|in|during|while (?:executing|running)) (?:the )?"
    r"(?:job|training|experiment|evaluation|benchmark|pipeline|main|script|program)\b.{0,200}"
)
"""What a program says at the level of errors of the whole that it was to do."""


def _came_to_its_end(facts: Facts, record: Record) -> bool:
    """Whether the run says above a record that it ended on purpose, or behind it that it trained."""
    ends = (e.record for e in facts.events if e.role is Role.END and e.record.file == record.file)
    trained = (s.lines for s in facts.lived if s.file == record.file)
    return any(end.line < record.line for end in ends) or any(int(lines.max()) > record.line for lines in trained)


def _stayed_behind(facts: Facts, ending: Record) -> str:
    """Why an end that one rank came to is not the job's: another one raised, or gave up waiting, and came to none."""
    if facts.rank_of(ending) is None:
        return ""
    through = {e.rank for e in facts.events if e.role is Role.END}
    for fact in fatal_exceptions(facts):
        if fact.rank is not None and fact.rank not in through and fact.record.file == ending.file:
            return f"{fact.headline[:80]} ({fact.evidence.place})"
    for group in facts.collectives.stuck_groups:
        for rank, timeout in group.timeouts.items():
            record = timeout.record
            if rank not in through and facts.outcome.before(record.file, record.line, record.time):
                return f"rank {rank} still waited in a collective ({facts.case.file_name(record)}:{record.line})"
    return ""


def _before_all_work(facts: Facts, failed: Record) -> bool:
    """Whether an exit code is of a step that a script ran before: one began after it, trained, and came to its end."""
    ending = facts.outcome.completed
    if ending is None or not facts.outcome.sure or Mark.EXIT_CODE not in failed.pattern.marks:
        return False
    first = min((int(s.lines.min()) for s in facts.lived if s.file == failed.file), default=0)
    starts = (r.line for r in facts.case.records.marked(Mark.STARTS) if r.file == failed.file)
    return ending.file == failed.file and first < ending.line and any(failed.line < s < first for s in starts)


CELL = "PapermillExecutionError", "CellExecutionError"
"""What runs a notebook raises of a cell, which ends the notebook, whatever the cells above it completed."""


def _of_a_later_phase(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether it ended an evaluation, an export or a notebook's cell that came after training had completed."""
    told = any(e.traceback.root.exception.endswith(CELL) for e in facts.exceptions_of(fact.record.file))
    return told or (fact.traceback.complete and phase_of(fact, facts.outcome, bool(facts.lived)) in AFTER_TRAINING)


BY_HAND = frozenset({"lightning.interrupted", "fortran.console"})
"""Said in the midst of training, testing or validation alone, or by a run-time system as it ends the process."""
AT_ONCE_LINES, RIGHT_BELOW = 3, 3
"""Lines between Ctrl-C and what is said at every end; those below a traceback that say whether it is the last."""
_IN_TRAINING = regex(r"(?i)\btraining (?:was )?(?:interrupted|stopped|aborted)\b")


def _command_stopped(facts: Facts) -> str:
    """What a command of a recipe stopped at, whatever the commands before it completed."""
    record = stopped_command(facts.case)
    return f"{record.first_line[:80]} ({facts.case.file_name(record)}:{record.line})" if record is not None else ""


def _broke_after(facts: Facts) -> str:
    """What a resource's own line says of a failure after training had ended, as the job's own files put it, or one
    that the script's next program was refused with; or that somebody interrupted another training."""
    for event in facts.causes:
        record = event.record
        if (record.name in BY_HAND or _falls_through(facts, record)) and not facts.recovered(record):
            return f"{event.title} ({facts.case.file_name(record)}:{record.line})"
        refused = Mark.REFUSED in record.pattern.marks  # the script's next program, which never ran
        if not (event.cls in OF_RESOURCES or refused) or event.weight < SPECIFIC or facts.quoted(record):
            continue
        own = facts.case.files[record.file].kind is not FileKind.KERNEL and not logged_below_error(record)
        if own and facts.outcome.before(record.file, record.line, record.time) and not facts.recovered(record):
            return f"{event.title} ({facts.case.file_name(record)}:{record.line})"
    return ""


def _falls_through(facts: Facts, record: Record) -> bool:
    """Whether a program that caught Ctrl-C in its training says at once what it says at every end of it."""
    ending = facts.outcome.completed
    at_once = ending is not None and record.file == ending.file and 0 < ending.line - record.line <= AT_ONCE_LINES
    return at_once and record.name == "py.stopped_by_user" and _IN_TRAINING.search(record.first_line) is not None


def _stopped_before(facts: Facts, ending: Record) -> str:
    """Why an ending that failing programs print as well is not one: what was said shortly before it."""
    for event in facts.causes:
        record = event.record
        if event.weight >= TELLING and _shortly_before(facts, record, ending):
            return f"{event.title} ({facts.case.file_name(record)}:{record.line})"
    stops = (r for r in facts.case.records.marked(Mark.STOPS_WORKERS) if _shortly_before(facts, r, ending))
    stop = next(stops, None)
    return f"the launcher was stopped ({facts.case.file_name(stop)}:{stop.line})" if stop is not None else ""


def _shortly_before(facts: Facts, record: Record, ending: Record) -> bool:
    near = record.file == ending.file and 0 < ending.line - record.line <= SHORTLY
    return near and not facts.recovered(record) and not within_handled(facts, record)

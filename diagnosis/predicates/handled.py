"""Exceptions that a program caught where it worked on one thing of many: it printed them, and worked on to a calm end.

What nobody catches is printed from the script's own first frame on, or from that of the process that a library
started. A traceback that begins further in was printed by a handler.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.predicates.file_ends import lines_of, noise_lines, tail
from logtui.diagnosis.predicates.file_ends import passed_over as survived_lines
from logtui.diagnosis.predicates.shell_words import ABOVE, went_past
from logtui.diagnosis.predicates.trouble import CALM, speaks_of_trouble
from logtui.diagnosis.predicates.went_on import next_item_ran
from logtui.parsers.pattern import Mark
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex
from logtui.parsers.structure.families import PROGRAM, place

OUTERMOST = frozenset(
    {"<module>", "_bootstrap", "_bootstrap_inner", "_run_code", "_run_module_as_main", "run_path", "main", "cli"}
    | {"app", "wrapper", "_wrapped_fn", "_wrap", "worker_loop", "_worker_loop", "worker", "run", "<lambda>"}
    | {"decorate_context"}
)
"""Functions at which a traceback begins that nobody caught, or that a launcher or a thread printed as its process
ended."""
LEAST = 5
"""So many lines with words behind the last of them show that work went on."""
LONG, VERY_LONG, CLOSE = 40, 100, 15
"""So many show that it went on for long, whatever else it complained of; those of them at the end, which are calm."""
REQUESTED = 1000
"""Lines at the end of a file in which requests are looked for that were refused, and answered later."""
SERVED, HEAD = "You can now view your Streamlit app in your browser", 12
"""How Streamlit says that it serves: it shows what a page raises, and serves on; lines among which it says so."""
HYDRA = "HYDRA_FULL_ERROR"
"""Said behind a traceback of which Hydra prints the program's own frames alone, and ends."""
TRACKER = "wandb: "
"""Says a lot at any end."""
_ANSWERED = regex(r"\bHTTP/\d[^\n]{0,24}\" [23]\d\d\b")
"""A server's word that it answered a request well: one shows that it lives."""
QUOTED = 12
"""Characters of a message that is no other's, at least."""
_TELLS = regex(r"(?i)\W{0,8}(?:error|failed|failure|could not|cannot|unable) (?:[\w-]{1,30} ){0,6}[\w-]{1,40}: ")
"""How a program begins that tells of an exception: of what it was at."""
_SERVER = regex(
    r"[/\\](?:flask[/\\]app|uvicorn[/\\]protocols[/\\]|starlette[/\\]|werkzeug[/\\]serving|tornado[/\\]web"
    r"|aiohttp[/\\]web_protocol|django[/\\]core[/\\]handlers[/\\]|gradio[/\\](?:queueing|routes)|streamlit[/\\]runtime[/\\])"
)
"""Where a web server calls a program for each request, and catches what that raises."""
COMES_UP = frozenset({"lifespan", "startup"})
"""Functions of such a server in which a program is set up: what is raised there ends it."""
_TRACKER = regex(r"[/\\]wandb[/\\]sdk[/\\](?:internal[/\\]system[/\\]|lib[/\\]retry\.py)")
"""Where wandb's own threads ask for the state of the machine, or try once more: the program that it tracks never hears
of it."""
COMMAND, QUOTED_LINES = 'File "<string>", line ', 4
"""Where that stands which Python was given as a command; lines above the complaint in which it is quoted."""
WITHIN_RECORD = 12
"""Lines that a record may take up to the exception that it quotes."""
_RECORD = regex(r"\W{0,2}\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d:\d\d.{0,80}\b(?:INFO|DEBUG|WARN(?:ING)?|ERROR)\b")
_INSTALLED = regex(r"[/\\](?:site|dist)-packages[/\\]")
_FIRST_FRAME = regex(r"\b(?:INFO|DEBUG|WARN(?:ING)?|ERROR)\b.{1,400}(?: File \"|Traceback \(most recent)")
_PARTS = regex(r"^<(?:sandbox|string|exec|solution|generated|unittest)")
"""Code that a program was given, and not its own."""

_ALL_FAILED = regex(
    r"(?i)^(?:[^A-Za-z]{0,40}|.{0,100}\b(?:ERROR|CRITICAL)\b\W{1,6}(?:[\w.]{1,40}: )?)(?:the |your )?"
    r"(?:training|fine-?tuning|pre-?training|experiment|job|pipeline)(?: \w{1,12})? (?:crashed|failed|aborted|died)\b"
    r"(?!.{0,40}\b(?:fold|trial|sample|batch|seed|model|run|client|item)s? ?[#:]? ?\d)"
)
"""How a program begins that tells what ended all of its work."""

_HANDLED: WeakKeyDictionary[Facts, frozenset[tuple[int, int]]] = WeakKeyDictionary()


def handled(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether its program caught it, and worked on."""
    return (fact.record.file, fact.record.line) in _all(facts)


def within_handled(facts: Facts, record: Record) -> bool:
    """Whether a line is one of such an exception's, or tells of it right above."""
    return any(e.covers(record) for e in _caught(facts, record.file)) or announces_handled(facts, record)


def announces_handled(facts: Facts, record: Record) -> bool:
    """Whether a line tells of such an exception right above it."""
    return any(e.record.line == record.line + 1 for e in _caught(facts, record.file))


def _caught(facts: Facts, file: int) -> list[ExceptionFact]:
    places = _all(facts)
    return [e for e in (facts.exceptions_of(file) if places else ()) if (file, e.record.line) in places]


def passed_over(facts: Facts, file: int) -> set[int]:
    """The lines of a file that such exceptions take, those above them that announce them, and declared noise."""
    caught = [e for e in facts.exceptions_of(file) if handled(facts, e)]
    shells = (r.line for r in facts.case.records.marked(Mark.SHELL_SAW_END) if r.file == file and went_past(facts, r))
    told = {n for line in shells for n in range(line - ABOVE, line + 1)}
    telling = _telling(*tail(facts, file)) if caught else []
    told |= {n for e in caught for n in (*lines_of(e), e.record.line - 1, *_quoting(e, telling))}
    return survived_lines(facts, file, REQUESTED) | told


def _all(facts: Facts) -> frozenset[tuple[int, int]]:
    if facts not in _HANDLED:
        files = {e.record.file for e in facts.exceptions}
        alone = facts.exits.failed is None and len(facts.seen_ranks) <= 1 and not facts.is_past
        found = (place for file in files for place in _of_file(facts, file))
        own = {(e.record.file, e.record.line) for e in facts.exceptions if _begins_in(e, _TRACKER)}
        _HANDLED[facts] = frozenset(own.union(found if alone else ()))
    return _HANDLED[facts]


def _of_file(facts: Facts, file: int) -> list[tuple[int, int]]:
    mine = facts.exceptions_of(file)
    children = [e for e in mine if _of_child(e) or _of_command(facts, e)]
    own = [e for e in mine if _begins_in_own(e)]
    if not mine:
        return []
    if serves_pages(facts, file):
        return [(file, e.record.line) for e in mine if e.evidence.line < facts.case.line_count(file)]
    passed = survived_lines(facts, file, REQUESTED)
    within = {n for e in mine if e.ignored for n in lines_of(e)[1:]}  # threads that print at once run into each other
    answered = [(file, e.record.line) for e in mine if e.record.line in passed - within]  # to a wrong request
    native = (e for e in mine if Mark.UNCAUGHT in e.record.pattern.marks)
    answered += [(file, e.record.line) for e in native if next_item_ran(facts, e)]
    answered += [(file, e.record.line) for e in mine if _of_request(e)]
    first, lines = tail(facts, file)
    telling = _telling(first, lines)
    quoting = [_quoting(e, telling) for e in mine]
    caught = [e for e, quotes in zip(mine, quoting, strict=True) if quotes or _is_printed(e) or _is_logged(facts, e)]
    caught = [e for e in caught if e is not mine[-1] or not _ended_all(facts, e)]
    if not (caught or children or own):
        return answered
    if any(HYDRA in text for text in lines):
        own = []
    passed_by = [*caught, *(e for e in mine if e.ignored)]
    told = {n for e in passed_by for n in lines_of(e)} | noise_lines(facts, file) | {n for at in quoting for n in at}
    spoken = [
        (n, text)
        for n, text in enumerate(lines, first)
        if n not in told and any(c.isalpha() for c in text) and not text.startswith(TRACKER)
    ]
    kinds = ((caught, LEAST), (children, LONG), (own, VERY_LONG))
    calm = [(file, e.record.line) for some, least in kinds if _calm_behind(spoken, some, least) for e in some]
    return [*answered, *calm]


def _ended_all(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether the line above a traceback says that all of the work failed, behind which no step was made."""
    above = facts.case.preceding(fact.record, 1)
    later = any(int(s.lines[-1]) > fact.record.line for s in facts.lived if s.file == fact.record.file)
    return not later and any(_ALL_FAILED.search(text) for text in above)


def serves_pages(facts: Facts, file: int) -> bool:
    """Whether a file is that of a server which runs a script for each page, and outlives what that raises."""
    return any(SERVED in text for text in facts.case.head(file, HEAD))


def _telling(first: int, lines: Sequence[str]) -> list[tuple[int, str]]:
    """The lines, of some that begin at one, in which a program tells of what it was at."""
    return [(n, text.strip()) for n, text in enumerate(lines, first) if _TELLS.match(text.strip())]


def _quoting(fact: ExceptionFact, telling: Sequence[tuple[int, str]]) -> list[int]:
    """Those of some lines in which the program tells of an exception that did not come to its own level: who quotes it
    has caught it."""
    said, frames = fact.traceback.root.message.partition("\n")[0].strip(), fact.traceback.frames
    if len(said) < QUOTED or not frames or frames[0].function == "<module>":
        return []
    return [n for n, text in telling if text.endswith(said) and n not in lines_of(fact)]


def _calm_behind(spoken: Sequence[tuple[int, str]], raised: Sequence[ExceptionFact], least: int) -> bool:
    """Whether enough is said behind the last of some exceptions, without a complaint; of much, without one near the
    end."""
    last = max((e.record.line + e.traceback.last_index for e in raised), default=0)
    behind = [text for n, text in spoken if n > last]
    asked = behind[-CLOSE:] if len(behind) >= LONG else behind
    enough = len(behind) >= least or (least == LEAST and any(map(_ANSWERED.search, behind)))
    at_once = least == LEAST and len(behind) >= LONG and not any(map(speaks_of_trouble, behind[:LONG]))
    return at_once or (enough and not any(map(speaks_of_trouble, asked)))


def _of_child(fact: ExceptionFact) -> bool:
    """Whether it ended a process that the program had started, which prints it itself."""
    frames = fact.traceback.frames
    return fact.traceback.complete and bool(frames) and frames[0].function == "_bootstrap"


def _of_command(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether Python could not read what a script gave it as a command, which begins no traceback."""
    quoted = fact.traceback.exception == "SyntaxError" and not fact.traceback.frames
    return quoted and any(COMMAND in text for text in facts.case.preceding(fact.record, QUOTED_LINES))


def _of_request(fact: ExceptionFact) -> bool:
    """Whether it was raised while a web server answered a request, and not as it came up: the next one is answered as
    well."""
    return _begins_in(fact, _SERVER) and fact.traceback.frames[0].function not in COMES_UP


def _begins_in(fact: ExceptionFact, files: re.Pattern[str]) -> bool:
    """Whether its first frame is of some files."""
    frames = fact.traceback.frames
    return fact.traceback.complete and bool(frames) and files.search(frames[0].file) is not None


def _begins_in_own(fact: ExceptionFact) -> bool:
    """Whether it begins in a function of the program's own whose name many processes and threads begin with as well."""
    frames = fact.traceback.frames
    known = fact.traceback.complete and frames and not frames[0].function.startswith(("<", "_", "main"))
    return bool(known) and place(frames[0].file) == PROGRAM


def _is_logged(facts: Facts, fact: ExceptionFact) -> bool:
    """Whether its first lines are words of a logger's record, below which the others stand; or it begins in a library,
    below a record that only warns: what nobody catches begins in the program."""
    above, frames = facts.case.preceding(fact.record, WITHIN_RECORD), fact.traceback.frames
    if above and frames and _INSTALLED.search(frames[0].file) and _RECORD.match(above[-1]):
        return CALM.search(above[-1]) is not None
    head = next((text for text in reversed(above) if _RECORD.match(text)), "")
    return _FIRST_FRAME.search(head) is not None


def _is_printed(fact: ExceptionFact) -> bool:
    frames = fact.traceback.frames
    if not (fact.traceback.complete and frames):
        return False
    return frames[0].function.rpartition(".")[2] not in OUTERMOST or _PARTS.match(frames[0].file) is not None

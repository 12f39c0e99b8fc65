"""What the last line of a file says, where it is an error in plain words: a program prints its exception and ends."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from weakref import WeakKeyDictionary

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.loud_lines import known_lines, looks_fatal
from logtui.diagnosis.predicates.closing_words import closes
from logtui.diagnosis.predicates.done_items import done_one_by_one
from logtui.diagnosis.predicates.file_ends import advancing, passed_over
from logtui.diagnosis.predicates.plain_words import class_in_words, complains, refused, stage_failed
from logtui.diagnosis.predicates.record_heads import behind_head, below_error
from logtui.diagnosis.predicates.requests import passed_requests
from logtui.diagnosis.predicates.tool_words import first_of_build, tool_failed
from logtui.diagnosis.predicates.trouble import speaks_of_trouble
from logtui.parsers.pattern import FailureClass
from logtui.parsers.regex import regex
from logtui.parsers.source import OF_PROGRAMS
from logtui.parsers.structure.answers import ERRNOS, NEAR
from logtui.parsers.structure.clues import structure_of
from logtui.parsers.structure.linux_errno import TEXTS
from logtui.parsers.tracebacks.traceback import Traceback

MOST_FILES, TAIL, LONGEST, COMPLAINTS = 16, 60, 400, 2000
"""Files that are asked, lines at the end of each, characters of one; lines above in which complaints may begin."""
ADVICE_LINES = 1
"""Lines behind an error that tell what to do about it."""
_DATED = regex(r"\W{0,2}\d")
BEHIND = 4
"""Lines at the end among which a logger told of an error of a known kind, and did little else."""
_LABEL = regex(
    r"^\W{0,3}(?:(?P<type>(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception)|Exception)"
    r"|(?:ERROR|FATAL|[Ee]rror|[Ff]atal(?: error)?|Errore|Erreur|Fehler|Erro|Ошибка|エラー|错误|오류))"
    r"[\]:：]{1,3} {0,3}(?P<said>\S.*)"
)
_RECORD = regex(
    r"^[^A-Za-z]{0,80}(?:[\w.]{1,80}(?: - |\]\[))?\W{0,3}(?:ERROR|CRITICAL|FATAL)\b(?:[:|]\w[\w.]{0,80}:)?[^\w]{1,12}"
    r"(?P<said>(?:\S{1,40} ){0,2}"
    r"(?:train\w*|(?:fine-?)?tuning|run|job|experiment|evaluation|main|program|script|pipeline|execution)\b"
    r".{0,40}\b(?:fail\w*|error\w*|abort\w*|crash\w*|stopped)\b.{0,300})",
    re.I,
)
"""A log record at a level of errors that says of the whole run that it failed."""
_TOOL = regex(
    r"^(?!(?:\S{0,80}/)?(?:rm|rmdir|mkdir|ls|kill|chmod|chown|touch|find|du|df|tee): )"
    r"(?P<tool>[\w./+-]{1,80}): .{1,300}: (?P<why>"
    + "|".join(re.escape(TEXTS[number]) for numbers in ERRNOS.values() for number in numbers)
    + r")$"
)
"""How the tools of a script say what the system refused: `cp: cannot stat 'run7.pt': No such file or directory`.
What tidies up, looks round or keeps a copy is no loss where it fails."""
_CRITICAL = regex(
    r"^[^A-Za-z]{0,80}(?:[\w.]{1,80}(?: - |\]\[))?\W{0,3}(?:CRITICAL|FATAL)\b"
    r"(?:\W{1,12}[\w.]{1,80}(?::| -))?\W{1,12}(?P<said>\w.{0,300})"
)
"""A log record at the level that programs keep for what they end with."""
_BEFORE_LEVEL = r"^[^A-Za-z]{0,80}(?:[\w.]{1,80}(?:\]? - |\]\[|-)){0,2}\W{0,3}"
"""A time and the name of a logger."""
_ERROR = regex(
    _BEFORE_LEVEL + r"ERROR\b"
    r"(?:\W{1,12}[\w.]{1,80}(?::| -))?\W{1,12}(?P<said>\w.{0,300})"
)
"""A log record at the level of errors: of a failure where its words are those of a mistake in a program."""
_SCRIPT = regex(
    r"^(?:(?:\S{0,200}/)?[\w-]{1,80}\.(?:py|sh)|launch(?:er)?|submit|prolog|run|start|stage(?:-?in)?|setup|job): "
    r"(?P<label>(?:fatal|error|FATAL|ERROR|Error|Fatal): )?(?P<said>\S.{0,300})"
)
"""How scripts, as the tools of Unix do, put their own name before what they refuse."""
_FAILED = regex(
    r"^\W{0,8}(?:(?:ERROR|FAILED|Error)\W{1,4})?(?:[\w.-]{1,40} ){0,3}"
    r"(?:training|experiment|stage|step|phase|run|job|task|pipeline|evaluation|script)(?: [\w.-]{1,20}){0,3} "
    r"(?:has )?failed\b"
    r"(?! to\b|[^.!]{0,20}\d%).{0,120}$",
    re.I,
)
"""How a script says, without a label, that what it started failed: `Experiment 2 failed!`."""
_SUCCEEDED = regex(r"(?i)\b(?:executed|completed|finished|ran|ended) successfully\b")
_DIGITS = regex(r"\d+")
OFTEN = 5
"""So many times the same complaint is one that a program lives with."""
_BEHIND_BAR = regex(r"^.*(?:it/s|s/it)\][ ,]?(?=\S)")
_MISTAKE = regex(
    r"object has no attribute '|name '\w{1,80}' is not defined|object is not (?:subscriptable|callable|iterable)"
    r"|takes \d+ positional arguments? but|missing \d+ required (?:positional|keyword-only) argument"
    r"|got an unexpected keyword argument|referenced before assignment|cannot access local variable|index out of range"
    r"|unsupported operand type|(?:not enough|too many) values to unpack|division by zero"
)
"""How Python words a mistake in a program, where somebody prints an exception without its type."""
_MISTAKE_ALONE = regex(
    r"^[^A-Za-z]{0,80}(?:[\w.]{1,80}(?: - |\]\[|-)){0,2}\W{0,3}(?:INFO|WARNING|ERROR)\b[^\w'\"]{1,12}"
    r"(?P<said>(?:'\w{1,80}' object (?:has no attribute '|is not (?:subscriptable|callable|iterable))"
    r"|name '\w{1,80}' is not defined"
    r"|local variable '\w{1,80}' referenced before|(?:not enough|too many) values to unpack|division by zero"
    r"|(?:list|tuple|string) index out of range).{0,200})"
)
"""A log record, of whatever level, that is nothing but the message of such a mistake: a program caught it and ends."""
_CAUGHT = regex(
    r"(?:Error|Exception|Failure) (?:occurred )?(?:during|while|in|when) .{0,40}?"
    r"\b(?:(?:pre)?process|train|tun|load|evaluat|generat|run|infer|tokeniz|initiali[sz]|set)\w*"
    r".{0,40}?: (?P<said>\S.{0,300})"
)
"""How a program tells of an exception that it caught in the midst of what it was to do."""
_EXITS = regex(
    r"^[^A-Za-z]{0,80}(?:[A-Za-z]\w{0,60}[^\w.]{1,4}){0,2}(?:ERROR|error|FATAL|fatal|CRITICAL|critical)\b\W{1,8}"
    r"(?P<said>.{4,300}\b(?i:exiting|aborting|terminating|giving up))[.! ]{0,4}$"
)
"""A log record at the level of errors that says that its program ends."""
_STOPS = regex(
    _BEFORE_LEVEL + r"(?:ERROR|CRITICAL|FATAL)\b"
    r"(?:\W{1,12}[\w.]{1,80}(?::| -))?\W{1,12}(?:[\w-]{1,20} ){0,2}"
    r"(?i:stopping|aborting|terminating|shutting down|giving up)\b(?!.{0,40}\b(?:early|worker|retr))"
)
"""A log record at the level of errors that says that its program stops, amid a few more words of its teardown."""
_AT_ERROR = regex(_BEFORE_LEVEL + r"(?:ERROR|CRITICAL|FATAL)\b")
_TEARS_DOWN = regex(
    _BEFORE_LEVEL + r"(?:INFO|DEBUG|WARN(?:ING)?)\b.{0,200}?"
    r"(?i:\b(?:shut(?:ting)? ?down|clean(?:ing|ed)? ?up|clos(?:ing|ed)|stopp(?:ing|ed)|exit(?:ing|ed)|releas(?:ing|ed)"
    r"|terminat(?:ing|ed)|disconnect(?:ing|ed))\b)"
)
"""A record below the level of errors about what is taken down."""
_FAILS = regex(r"(?i)\bfail(?:ed|ure)?\b|could ?n[o']t|cannot|\bunable\b")
_DID = regex(r"\b(?:INFO|DEBUG)\b.{0,80}?\b(?:executed|answered|served|processed|handled)\b")
"""A calm record of what was done."""
STOPS, ITS_ERRORS, STOPPED = 8, 4, "it says that it stops"
"""Lines at the end among which such a record stands, and above it those that say why; how it is told."""
_CHECK = regex(
    r"^\W{0,8}FAILED?: .{0,120}\b(?:incorrect|wrong|mismatch\w*|differ\w*|errors?)\b"
    r"|^\W{0,8}(?:(?:Self-?)?[Tt]ests?|TESTS?|[Vv]alidation|VALIDATION|[Rr]esult)\b"
    r"[\w \t:=.()-]{0,60}[ \t:=](?:FAIL(?:ED)?|INCORRECT)\W{0,4}$"
)
"""How a program says, at its very end, that what it worked out is wrong: CUDA's samples, tests of one's own."""
_VERIFIED = regex(
    r"^\W{0,8}(?:[Vv]erification|VERIFICATION)\b[\w \t:=.()-]{0,60}[ \t:=](?:UNSUCCESSFUL|FAILED)\W{0,4}$"
)
REPORT = 25
"""Lines at the end of a file in which the same stands, amid a report: the NAS benchmarks'."""
_FIGURE = regex(r"\W{0,8}(?:[A-Za-z]\w{0,20} ){0,3}[Ee]rror ?[:=] ?[-+]?\d[\d.,]*(?:[eE][-+]?\d{1,3})?%?\s*$")
"""How far a result is off: no complaint."""
_LOST = regex(
    r"^[^A-Za-z]{0,80}(?:[\w.]{1,80}(?: - |\]\[|\] - )){0,2}\W{0,3}(?:WARNING|WARN|ERROR)\b.{0,80}?"
    r"\b(?:disconnected from|lost (?:the )?connection|connection (?:was )?lost|lost contact)\b"
    r"(?!.{0,40}\b(?:rc=0|normal|success|gracefully))",
    re.I,
)
"""A log record, a warning at least, of a connection that is gone."""
_OF_WORDS = {TEXTS[number]: NEAR[answer] for answer, numbers in ERRNOS.items() for number in numbers}
_ASIDE = regex(
    r"Warning\b|^\s*warnings\.warn|^\s|resource_tracker|^wandb: |leaked semaphore"
    r"|^(?:srun|slurmstepd): error: |^npm ERR! |^\W*$|^(?:real|user|sys)\s+\d+m"
)
"""What stands behind a program's last word: warnings with their source, bookkeeping, rules, the end and its time."""
_FAREWELL = regex(r"wandb: (?:Find logs at: |Synced \d)")
HELD_BACK = 3
"""Lines behind the last word of wandb, which speaks as the interpreter leaves."""
_EPILOGUE = regex(r"^=+ ?JOB_STATISTICS ?=+|^#+ ?(?:PBS )?[Ee]pilogue|^-+ ?(?:Job|PBS) (?:Epilogue|Summary)\b")
"""How a scheduler's own report begins, at NHR centres and under PBS."""


@dataclass(frozen=True, slots=True)
class LastLine:
    """An error that ends a file."""

    file: int
    line: int
    text: str
    cls: FailureClass
    """Unknown where its words say nothing of the kind of failure."""
    what: str = "it ends with an error"


_ERRORS: WeakKeyDictionary[Facts, tuple[LastLine, ...]] = WeakKeyDictionary()
"""Once asked for: every sign of life asks."""


def errors_at_the_end(facts: Facts) -> tuple[LastLine, ...]:
    """Of each file of a small job, the error in plain words with which it ends."""
    if facts not in _ERRORS:
        _ERRORS[facts] = tuple(_errors(facts))
    return _ERRORS[facts]


def _errors(facts: Facts) -> Iterator[LastLine]:
    files = [f for f in facts.case.files if f.kind in OF_PROGRAMS]
    case = (facts.whole or facts).case  # a file may end with an earlier attempt's words
    for file in files if len(files) <= MOST_FILES else ():
        first = max(facts.begins_at(file.index), case.line_count(file.index) - TAIL + 1)
        tail = case.bodies(file.index, first, TAIL)
        known = known_lines(case, file.index, first) | passed_requests(enumerate(tail, first))
        spoken = [*_spoken(tail)]
        last = None if facts.lived else _complaints(facts, file.index, first)
        last = last or _stopped(tail, spoken) or _failed_check(tail, spoken, {n - first for n in known})
        last = (
            last or _last_error(tail, spoken, {n - first for n in known}) or _stage_failed(tail, spoken, known, first)
        )
        if last is None and not facts.lived and spoken and first + spoken[-1] not in known:
            last = _refusal(facts, file.index, first, tail, spoken[-1])
        if last is None and not facts.lived:
            passed = known | passed_over(facts, file.index)
            last = _error_near(tail, [n for n in spoken if first + n not in passed])
        if last is not None:
            at, text, cls, what = last
            yield LastLine(file.index, first + at, text, cls, what)


_NOT_FOUND = regex(r"^-?(?:ba|z|k|fi)?sh: (?:([^\s:]{1,60}): command not found|command not found: (\S{1,60}))$")
_PROMPT = regex(r"^[^$#%>❯]{1,200}[$#%>❯] {1,2}(?P<command>\S{1,60})[^$#%>❯]{0,200}$")
"""The prompt of a shell, and what is typed behind it."""
Found = tuple[int, str, FailureClass, str]
"""The index of a line in the tail, its text and class, and what it is."""


def _last_error(tail: Sequence[str], spoken: Sequence[int], known: Container[int]) -> Found | None:
    """The error that stands among the very last lines; what is declared is judged as declared, what stands in a
    traceback with that."""
    for at in spoken[::-1][: 1 + ADVICE_LINES]:
        behind = _BEHIND_BAR.search(tail[at][-LONGEST:]) if "%|" in tail[at] else None
        if at in known and behind is None:
            return None
        text = tail[at].strip()[:LONGEST] if behind is None else tail[at][-LONGEST:][behind.end() :]
        passed = _said_often(tail, spoken, at) or _is_typed(tail, at)
        if (cls := _error_in(text)) is not None and not passed:
            first = first_of_build(tail, at)
            if first != at:
                return first, tail[first].strip()[:LONGEST], cls, "its build failed"
            return at, text, cls, "it ends with an error"
    return None


def _failed_check(tail: Sequence[str], spoken: Sequence[int], known: Container[int]) -> Found | None:
    """The first of the lines by which a program tells, at its end, that a result is wrong: each rank may say so."""
    last = max(0, len(tail) - REPORT)
    verified = (at for at in range(last, len(tail)) if at not in known and _VERIFIED.match(tail[at][:LONGEST]))
    first = next(verified, None)
    if first is None and spoken and spoken[-1] not in known and _CHECK.match(tail[spoken[-1]][:LONGEST]):
        first = next(at for at in spoken if at not in known and _CHECK.match(tail[at][:LONGEST]))
    if first is None:
        return None
    return first, tail[first].strip()[:LONGEST], FailureClass.SOFTWARE, "its own check of the result failed"


def _stopped(tail: Sequence[str], spoken: Sequence[int]) -> Found | None:
    """The first of the errors on whose account a program says, among its last words, that it stops."""
    late = [at for at in spoken[-STOPS:] if _STOPS.match(tail[at][:LONGEST])] or _tears_down_behind(tail, spoken)
    if not late:
        return None
    above = [at for at in spoken if at <= late[0]][-ITS_ERRORS:]
    first = next((at for at in above if _AT_ERROR.match(tail[at][:LONGEST])), late[0])
    text = tail[first].strip()[:LONGEST]
    return first, text, _error_in(text) or _class_of("", _AT_ERROR.sub("", text).lstrip(" :|-]")), STOPPED


def _tears_down_behind(tail: Sequence[str], spoken: Sequence[int]) -> list[int]:
    """The error record that says that something failed, behind which a program does nothing but tear down."""
    behind = [*takewhile(lambda at: _TEARS_DOWN.match(tail[at][:LONGEST]), spoken[::-1])]
    at = spoken[-len(behind) - 1] if 0 < len(behind) < min(STOPS, len(spoken)) else None
    text = "" if at is None else tail[at][:LONGEST]
    return [at] if at is not None and _AT_ERROR.match(text) and _FAILS.search(text) else []


def _said_often(tail: Sequence[str], spoken: Sequence[int], at: int) -> bool:
    """Whether a complaint above the last line is one that the program made again and again on its way there."""
    alike = _DIGITS.sub("#", tail[at])
    return at != spoken[-1] and sum(_DIGITS.sub("#", text) == alike for text in tail) >= OFTEN


def _is_typed(tail: Sequence[str], at: int) -> bool:
    """Whether a shell does not find what somebody typed behind its prompt, whatever ran before."""
    missed = _NOT_FOUND.search(tail[at].strip()[:LONGEST])
    if missed is None or not at:
        return False
    typed = _PROMPT.search(tail[at - 1][-LONGEST:])
    return typed is not None and typed["command"] in missed.groups()


def _stage_failed(tail: Sequence[str], spoken: Sequence[int], known: Container[int], first: int) -> Found | None:
    """What a script says of a stage that failed, behind which nothing worked any more."""
    begin = max(advancing(tail), default=-1)
    for at in spoken:
        text = tail[at].strip()[:LONGEST]
        asked = at > begin and first + at not in known and not below_error(text)
        if asked and (cls := stage_failed(behind_head(text))) is not None:
            if any(_SUCCEEDED.search(tail[n][:LONGEST]) for n in spoken if n > at):
                return None  # it was tried again
            worked_on = any(_DIGITS.sub("#", text) in _DIGITS.sub("#", before) for before in tail[: begin + 1])
            return None if worked_on else _fatal_above(tail, spoken, at) or (at, text, cls, "a stage of it failed")
    return None


def _fatal_above(tail: Sequence[str], spoken: Sequence[int], at: int) -> Found | None:
    """The fatal error right above the word of a stage's end, which is what it ended of."""
    above = [n for n in spoken if n < at][-ADVICE_LINES:]
    found = ((n, said["said"]) for n in above if (said := _CRITICAL.match(tail[n][:LONGEST])))
    return next(
        ((n, tail[n].strip()[:LONGEST], _class_of("", said), "it ends with an error") for n, said in found), None
    )


def _complaints(facts: Facts, file: int, first: int) -> Found | None:
    """The first of the complaints with which a program goes on to the end."""
    passed, (begin, told) = passed_over(facts, file), _from_far_above(facts, file, first)
    texts = ["" if n in passed else text[:LONGEST] for n, text in enumerate(told, begin)]
    at = complains(texts)
    if at is None:
        return None
    return begin + at - first, texts[at].strip(), class_in_words(texts[at]), "it says little but errors to its end"


def _refusal(facts: Facts, file: int, first: int, tail: Sequence[str], at: int) -> Found | None:
    """A complaint without a level with which a program ends that did nothing else."""
    text = tail[at].strip()[:LONGEST]
    cls = refused(text)
    if cls is None or done_one_by_one(_from_far_above(facts, file, first)[1]):
        return None
    return at, text, cls, "it ends with a complaint"


def _from_far_above(facts: Facts, file: int, first: int) -> tuple[int, list[str]]:
    """Where the lines begin among which complaints are counted, and these lines, to the end of the file."""
    begin = max(facts.begins_at(file), first - COMPLAINTS)
    return begin, (facts.whole or facts).case.bodies(file, begin, first + TAIL - begin)


def _error_near(tail: Sequence[str], spoken: Sequence[int]) -> Found | None:
    """The error at a logger's own level some lines above the last one, where its words are of a known kind."""
    late = spoken[-BEHIND:]
    goes_on = any(closes(tail[n]) for n in late) or any("%|" in text for text in tail[min(late, default=0) :])
    goes_on |= any(_DID.search(tail[n][:LONGEST]) for n in late[-1:])
    for at in () if goes_on else (n for n in late if not _said_often(tail, late, n)):
        said = _ERROR.match(tail[at][:LONGEST]) if speaks_of_trouble(tail[at]) else None
        if said is not None and _DATED.match(tail[at]) and (cls := _structure_of("", said["said"])) is not None:
            return at, tail[at].strip()[:LONGEST], cls, "it ends right behind an error"
    return None


def _error_in(text: str) -> FailureClass | None:
    """The class of the error that a line states of itself; a level below error that says so is none."""
    calm, text = below_error(text), behind_head(text)
    if calm or _FIGURE.match(text):
        return None
    if tool := _TOOL.match(text):
        return _OF_WORDS[tool["why"]]
    if (cls := tool_failed(text)) is not None:
        return cls
    if _LOST.match(text):
        return FailureClass.NETWORK
    if said := _RECORD.match(text) or _CRITICAL.match(text):
        return _class_of("", said["said"])
    mistake = (said := _ERROR.match(text)) and _MISTAKE.search(said["said"])
    if mistake or _MISTAKE_ALONE.match(text):
        return FailureClass.SOFTWARE
    if said and (caught := _CAUGHT.match(said["said"])):
        return _class_of("Exception", caught["said"])
    if said := _SCRIPT.match(text):
        return _class_of("", said["said"]) if said["label"] else _structure_of("", said["said"])
    if _FAILED.match(text):
        return FailureClass.UNKNOWN
    if said := _EXITS.match(text):
        return _class_of("", said["said"])
    said = _LABEL.match(text)
    if said is None or not (looks_fatal(text) or text.lstrip("[ ").startswith("Exception")):
        return None
    return _class_of(said["type"] or "", said["said"])


def _spoken(tail: Sequence[str]) -> Iterator[int]:
    """Indices of the lines that a program says, before a scheduler's report."""
    end = next((n for n, text in enumerate(tail) if _EPILOGUE.match(text)), len(tail))
    told = [n for n in range(end) if not _ASIDE.search(tail[n][:LONGEST])]
    farewell = max((n for n in range(end) if _FAREWELL.match(tail[n])), default=end)
    late = [n for n in told if n > farewell]  # what was printed at any time, and held back until the process was gone
    yield from told[: len(told) - len(late)] if len(late) <= HELD_BACK else told


def _class_of(name: str, said: str) -> FailureClass:
    return _structure_of(name, said) or (FailureClass.SOFTWARE if name else class_in_words(said))


def _structure_of(name: str, said: str) -> FailureClass | None:
    """The class of an error by what is known of such words; None where nothing is."""
    found = structure_of(Traceback(name, said, (), 0, 0, 0))
    if found is not None:
        return found.cls
    return FailureClass.SOFTWARE if _MISTAKE.search(said) else None

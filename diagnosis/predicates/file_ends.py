"""What the end of a file says: work that goes on, words of completion, what came out, or trouble.

Step formats are declared for known trainers; a script's own lines are told by what they do: one sentence again and
again whose numbers change, or a progress bar that fills.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from weakref import WeakKeyDictionary

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.facts.ran_again import ran_again
from logtui.diagnosis.predicates.closing_words import CLOSING, ELSEWHERE, THROUGH, TOOK
from logtui.diagnosis.predicates.done_items import counted_as_caught, failed_items, tried_again
from logtui.diagnosis.predicates.plain_words import next_begun
from logtui.diagnosis.predicates.record_heads import below_error
from logtui.diagnosis.predicates.requests import passed_requests
from logtui.diagnosis.predicates.trouble import BARE_LEVEL, CALM, HEAD, NONE, WARNING, speaks_of_trouble
from logtui.parsers.pattern import Role
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex

TAIL, NEAR, CLOSING_NEAR = 1000, 60, 15
"""Lines at the end of a file that are read; those among which progress must stand; those that may close a run."""
LONGEST = 4000
"""Characters of a line that are looked at, from its end: a bar rewrites one line thousands of times."""
MISSED_IN = 4
"""Lines below the word that a server was shut down in which its parent misses it."""
_SHUT_DOWN = regex(r"(?i)\bshut ?down (?:is )?complete\b")
_MISSED = regex(r"(?i)\bdied unexpectedly\b|\bis (?:dead|gone)\b|\bexited unexpectedly\b")
_ITEM, ITEMS = regex(r"^\W{0,2}(\d{1,9}) ?/ ?(\d{1,9})[\])]?[ :|-]{1,4}"), 20
"""A count with which a line begins; so many lines in a row tell of things that are worked on."""
FALLS_BACK = regex(
    r"(?i)^.{0,60}\bfall(?:s|ing)? ?back\b|^.{0,60}\btrying (?:the )?(?:next|another|an alternative)\b"
    r"|^\W{0,8}trying (?:to|with|without|it)\b"
)
_FAILED_TO = regex(r"(?i:\bfailed to )([a-z]{3,5})")
"""What was not done, as far as its verb stays the same: `save`, `saved`."""
ABOVE = 1
"""Lines above a traceback that say what became of it."""
RETOLD = 15
"""Lines above Nextflow's word that a step is run again which tell how it failed."""
_DENIES = regex(
    r"\b(?:not|never|cannot|missing|denied|invalid|refused|unable)\b|\bno\b(?!['\"])|\bnone of\b|n['’]t\b", re.I
)
"""What is denied, which a value of Python's (`None`, `'no'`) is not."""
_CROSS = regex(r"\s{0,8}[✗✘❌✖]")
"""How a line begins that says by a sign that something failed."""
DENIED_WITHIN = 30
"""Words of a line among which a program denies a thing; who writes more tells of something."""
AFTERWARDS = 8
"""Lines with words that show that a program went on."""
TIMES = 3
"""So many different lines, or fillings of a bar, are progress."""
_NUMBER = regex(r"[-+]?\d+(?:[.,:]\d+)*(?:e[-+]?\d+)?%?")
_BAR = regex(r"(?<![\d/])(\d{1,12})/(\d{1,12}) \[")
_WORDS = regex(
    r"loss|\b(?:epochs?|steps?|iter(?:s|ation)?|batch(?:es)?|updates?|lr|learning.rate|acc(?:uracy)?|eta|rewards?|ppl"
    r"|perplexity|train\w*|throughput)\b|\" 200 OK$",
    re.I,
)
_RUNS = regex(r"\|\s{0,4}RUNNING\s{0,20}\|")
"""In a table of trials or tasks, that of Ray Tune: its other cells are how far it came."""
_ALL_DONE = regex(r"(?i)^\W{0,3}(?:[a-z]\w{2,20} )?(?P<n>\d{2,7}|[2-9]) ?(?:/|of) ?(?P=n)(?![\w.%/])")
"""A line that begins with the last of so many."""
_STATUS = regex(
    r"(?i)^\W{0,6}(?:final )?(?:status|result|outcome)\W{1,6}(?:success(?:ful)?|ok|passed|completed?)\b(?!\W{0,3}\d)"
)
"""What a script says of all that it did: `[STATUS]  SUCCESS`."""
_SUCCESS = regex(r"\| SUCCESS {1,8}\|")
"""Loguru's level for it."""
_RESULTS = regex(
    r"\b(?:accuracy|f1(?:.score)?|m?ap(?:@\d{1,3})?|m?iou|bleu|rouge\S{0,8}|auc|recall|precision|r?mse|mae|psnr|ssim)\b"
    r"['\"]?[^\w]{1,12}\d|\bcopypaste: \d",
    re.I,
)
"""They stand at the end of an evaluation, and in lines of training too."""
_DONE = regex(r"\b(?:all done|finish(?:ed)?|completed?)\b|^\W{0,3}done\W{0,3}$|" + ELSEWHERE, re.I)
_FIGURE = regex(r"(?<![\w.:-])-?\d{1,9}\.\d{2,20}(?![\w.%:])")
"""A number that a program works out."""
_OF_STATE = regex(
    r"mem|gpu|cpu|util|temp|power|watt|heart|alive|wait|health|elapsed|time|second|sleep|retr|[GMK]i?B\b", re.I
)
"""What tells of a machine, or that time passes."""
_OF_BEING = (
    r"\bmem(?:ory)?(?: (?:usage|used|free|left|available|alloc\w{0,8}|reserved|util\w{0,8}))?(?![a-z])\W{0,6}\d"
    r"|\b(?:cpu|gpu) util|(?<![a-z])(?:heart|alive|wait|sleep|retr(?:y|ie))"
)
_WAITS = regex(_OF_BEING, re.I)
"""What tells that somebody is there, and not what is done."""
_TOOK = regex(r"(?i)\b(?:time|took|latency|duration)\b['\"]?[=: ]{1,3}\d{1,7}\.\d{1,9} ?m?s\b")
"""What tells how long something took that is done."""
_OF_TRIES = regex(r"\bretry (?:module|\(from )")
"""TensorFlow's module, which it warns of."""
_AWAITS = regex(r"(?i)\b(?:rendezvous|barrier|init_process_group|connecting to|listening)\b|\" 5\d\d\b")
"""What somebody says who has yet to hear of others; and a request that was answered with a failure."""
_STOPS = regex(r"(?i)\b(?:stopp(?:ed|ing)|clos(?:ed|ing)|shut(?:ting)? ?down|exit(?:ed|ing)|finish(?:ed|ing))\b")
"""What says that it is over, whatever it speaks of."""
_PASSES = regex(_OF_BEING + r"|elapsed|[GMK]i?B\b", re.I)
"""What tells that time passes, and not of what came out."""
_AT_STEP = regex(r"loss|\b(?:epoch|step|iter)\w{0,6} ?[:=#]? ?\d", re.I)
"""What tells of one step of training, of which more were to come."""
_STEP_AND_LOSS = regex(
    r"\b(?:epoch|step|iter(?:ation)?|episode)s?\W{0,4}\d{1,9}\b.{1,200}"
    r"\b(?:loss|reward|return|score)\w{0,20}['\"]?\W{1,3}-?\d{1,6}\.\d",
    re.I,
)
"""What tells of one step and what came out of it."""
RESULTS = 5
"""Lines at the end of a file, of which one tells a result."""
STEADY = 10
"""So many times the same sentence with other figures is work."""
NOT_FOUND = ": command not found"
"""How bash ends a line about a command that it did not find."""
VARIED = 5
"""So many different sentences are a report of what a program did, and not of what it waits for."""
FEW_KINDS = 3
"""So many are enough where the last one tells of what was saved."""
_LEFT_BEHIND = regex(
    r"\b(?:saved|wrote|written|stored|exported|guardad[oa]s?|salv[oa]s?|salvat[oa]|enregistrée?|sauvegardée?|gespeichert)\b"
    r"|保存|已写入|저장",
    re.I,
)
_OF_SET_UP = regex(
    r"load|init|build|built|compil|import|start|connect|download|prepar|set.?up|warm|resum|restor|continu|skip|\bwill\b"
    r"|config",
    re.I,
)
_PATH = regex(r"(?<!\S)[\w.~-]{0,40}/\S{1,400}")
"""A name of a file, which may hold any word."""
LAST_WORDS, LAST = 2, 3
"""Lines with words at the end of a file that may tell of an end by force; of which one may say that its program is
through."""


def last_progress(facts: Facts, file: int) -> int | None:
    """The number of the last line of a file that shows progress; None where its end shows none, or trouble after it."""
    found = (_last_of(facts, file, moving) for moving in (advancing, _first_step, _next_item))
    return next((line for line in found if line), None)


def _first_step(lines: Sequence[str]) -> Iterator[int]:
    """The index of the last line, where it tells of a step and its loss: what has begun so needs no second one."""
    last = next((n for n in range(len(lines) - 1, -1, -1) if lines[n].strip()), None)
    if last is not None and _STEP_AND_LOSS.search(lines[last]):
        yield last


def _next_item(lines: Sequence[str]) -> Iterator[int]:
    """The index of the last line with words, where it begins the next of many items."""
    spoken = [n for n, text in enumerate(lines) if text.strip()]
    if next_begun([lines[n] for n in spoken]):
        yield spoken[-1]


def last_work(facts: Facts, file: int) -> int | None:
    """The same for figures that a program works out one after the other, whatever they are of."""
    return _last_of(facts, file, _working)


def _last_of(facts: Facts, file: int, moving: Callable[[Sequence[str]], Iterator[int]]) -> int | None:
    first, lines = tail(facts, file)
    at = max(moving(lines), default=None)
    return first + at if at is not None and _quietly_ends(lines[at + 1 :]) else None


def said_last(facts: Facts, file: int, *, results: bool = True) -> int | None:
    """The number of one of the last lines of a file, where it says that the program is through, or what came out of
    it; None where trouble stands near, or what is complete is its set-up."""
    spoken = _spoken(facts, file)
    ending = _said_once(spoken)[-LAST:]
    for number, text in ending:
        if _STATUS.match(text) and not speaks_of_trouble(text):
            return number
        well = NONE.search(text) or _SUCCESS.search(text[:HEAD])
        if well and THROUGH.search(text) and not speaks_of_trouble(text):
            return number  # whatever was passed over above
    passed = passed_over(facts, file)
    if any(speaks_of_trouble(text) for n, text in spoken[-NEAR:] if n not in passed):
        return None
    last = [(n, text) for n, text in ending if not _sets_up(text)]
    through = (n for n, text in last if THROUGH.search(text) or (results and _RESULTS.search(text)))
    told = (n for n, text in last if _measured(text, spoken) or (text == spoken[-1][1] and _ALL_DONE.match(text)))
    return next(through, None) or next(told, None)


def _measured(text: str, spoken: Sequence[tuple[int, str]]) -> bool:
    """Whether a line tells how long all of it took, as it does but once."""
    alike = _NUMBER.sub("#", text)
    return TOOK.search(text) is not None and sum(_NUMBER.sub("#", other) == alike for _, other in spoken) == 1


def _sets_up(text: str) -> bool:
    """Whether a line is of a set-up, whatever the folders are called that it names."""
    return _OF_SET_UP.search(_PATH.sub("", text)) is not None


def _said_once(spoken: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Some lines, of which what every process says in turn, with its own number, counts as one."""
    masks = [" ".join(_NUMBER.sub("#", text).split()) for _, text in spoken]  # Fortran pads its numbers
    return [one for n, one in enumerate(spoken) if n + 1 == len(spoken) or masks[n] != masks[n + 1]]


def figures_last(facts: Facts, file: int) -> int | None:
    """The number of the last line of a file with a figure that a program works out, where such lines are its last: what
    came out, in words nobody declared. None where trouble stands near, or the last lines are of the set-up, of
    training, or one sentence that is said again and again."""
    first, lines = tail(facts, file, NEAR)
    spoken = [(n, text) for n, text in enumerate(lines, first) if any(c.isalnum() for c in text)]
    last = spoken[-RESULTS:]
    if any(speaks_of_trouble(text) for _, text in spoken) or any(_sets_up(text) for _, text in last):
        return None
    again = Counter(_NUMBER.sub("#", text) for _, text in spoken)
    told = [(n, text) for n, text in last if _FIGURE.search(text) and not _PASSES.search(text)]
    came_out = all(again[_NUMBER.sub("#", text)] < STEADY and not _AT_STEP.search(text) for _, text in told)
    return told[-1][0] if told and came_out else None


def calm_end(facts: Facts, file: int, passed: Container[int] = ()) -> int | None:
    """The number of the last line with words of a file that tells of this and that, where nobody complains near it, and
    it is neither of the set-up nor says that time passes. What `passed` holds was passed over."""
    spoken = _spoken(facts, file)
    kinds = len({_NUMBER.sub("#", text.strip()) for _, text in spoken})
    if kinds < VARIED and not (kinds >= FEW_KINDS and _LEFT_BEHIND.search(spoken[-1][1])):
        return None
    near = [text for n, text in spoken[-NEAR:] if n not in passed]
    if _CROSS.match(spoken[-1][1]) and _DENIES.search(spoken[-1][1]):
        return None
    if any(speaks_of_trouble(text) or text.rstrip().endswith(NOT_FOUND) for text in near):
        return None
    last = [text for _, text in spoken[-LAST:]]
    calm = any((CLOSING.search(t) or not _sets_up(t)) and not _WAITS.search(t) for t in last)
    return spoken[-1][0] if calm else None


_LISTENS = regex(
    r"(?i)\b(?:server|service|api|app)\b.{0,30}\b(?:started|running|listening|serving|ready)\b.{0,20}\S:\d{2,5}\b"
)
"""A server is up: whoever asks it is still to come."""


def uncomplaining(facts: Facts, file: int, passed: Container[int] = ()) -> int | None:
    """The number of the last line of a file that says anything, where none of its last ones complains, denies anything
    or waits, whatever else they tell."""
    spoken = _near_end(facts, file, passed)
    last = [text for _, text in spoken[-LAST:]]
    waits = not (last and (_STOPS.search(last[-1]) or _LISTENS.search(last[-1]))) and any(map(_is_waiting, last))
    if waits or not last or any(map(_denies, last)) or _complain(spoken):
        return None
    return spoken[-1][0]


def untroubled(facts: Facts, file: int, passed: Container[int] = ()) -> bool:
    """Whether none of the last lines of a file complains."""
    return not _complain(_near_end(facts, file, passed))


def _complain(spoken: Iterable[tuple[int, str]]) -> bool:
    """Whether one of some lines complains."""
    return any(speaks_of_trouble(text) or text.rstrip().endswith(NOT_FOUND) for _, text in spoken)


def _near_end(facts: Facts, file: int, passed: Container[int]) -> list[tuple[int, str]]:
    """The last lines of a file that say anything and were not passed over, and their numbers."""
    first, lines = tail(facts, file, NEAR)
    return [(n, text) for n, text in enumerate(lines, first) if any(c.isalnum() for c in text) and n not in passed]


def _is_waiting(text: str) -> bool:
    """Whether a line tells that somebody waits."""
    text = _OF_TRIES.sub("", _head(text))
    return any(r.search(text) for r in (_WAITS, _AWAITS)) and _TOOK.search(text) is None


def _denies(text: str) -> bool:
    """Whether a line denies a thing, and is not of a level below error, or Python's own warning."""
    text = _head(text)
    first = " ".join(text.split()[:DENIED_WITHIN])
    return not (CALM.search(text[:HEAD]) or WARNING.match(text)) and _DENIES.search(first) is not None


def _head(text: str) -> str:
    """A line as it was last rewritten; of a very long one, which shows what something holds, how it begins."""
    shown = text.rsplit("\r", 1)[-1]
    return shown if len(shown) <= 5 * HEAD else shown[: 2 * HEAD]


def concluded(facts: Facts, file: int) -> int | None:
    """The number of one of the last lines of a file, where it says that the program is through, or what came out, and
    what complained did so some lines above, after which the program went on."""
    spoken = _spoken(facts, file)
    if any(speaks_of_trouble(text) for _, text in spoken[-AFTERWARDS:]):
        return None
    last = [(n, text) for n, text in spoken[-LAST:] if not _WAITS.search(text) and not _sets_up(text)]
    return next((n for n, text in last if any(r.search(text) for r in (THROUGH, CLOSING, _RESULTS))), None)


def is_brief(facts: Facts, file: int) -> bool:
    """Whether a file holds but a few kinds of lines, none of which complains, begins a thing or waits."""
    spoken = [text for _, text in _spoken(facts, file)]
    few = len({_NUMBER.sub("#", text.strip()) for text in spoken}) < VARIED
    return few and not any(
        speaks_of_trouble(t) or _sets_up(t) or any(r.search(t) for r in (_WAITS, _DENIES)) for t in spoken
    )


def _spoken(facts: Facts, file: int) -> list[tuple[int, str]]:
    """The last lines of a file that have words, and their numbers."""
    first, lines = tail(facts, file)
    return [(n, text) for n, text in enumerate(lines, first) if any(c.isalpha() for c in text)]


_WARNS = regex(r"(?:\S{1,300}\.py|<frozen [\w.]{1,60}>|<\w{1,20}>):\d{1,6}: \w{0,40}Warning\b")
"""One of Python's own."""
_BELOW = regex(r"\s{2,}\S")
"""The line of the program below it."""
CHATTER = 20
"""Lines at the end of a file that are all a runtime's records: nobody else has a word to say there."""
_OF_CAFFE = regex(r"\b(?:net|solver|layer_factory|caffe)\.[ch]pp:\d{1,5}\] ")
"""A trainer that writes as runtimes do."""
_TIDIES = regex(r"^(?:\S{0,80}/)?(?:rm|rmdir): (?:cannot|failed to) remove\b")


_OF_LOGGER = regex(r"^W\d{4} \d\d:\d\d:\d\d\S{0,8} .{1,100}\.py:\d{1,6}\] |^nohup: ignoring input")
"""A warning of PyTorch's own loggers; and the shell's word before all others."""


def only_tidies(facts: Facts, file: int) -> bool:
    """Whether a file holds nothing but what a script's clean-up could not remove, Python's own warnings, or records of
    a runtime below errors."""
    spoken = [text for text in tail(facts, file)[1] if text.strip()]
    chatter = len(spoken) >= CHATTER and all(below_error(t) and not _OF_CAFFE.search(t) for t in spoken[-CHATTER:])
    return chatter or (bool(spoken) and all(map(_TIDIES.match, _but_warnings(spoken))))


def only_warns(facts: Facts, file: int) -> bool:
    """Whether a file holds nothing but Python's own warnings, those of PyTorch's loggers, and a runtime's records below
    errors."""
    spoken = [text for text in tail(facts, file)[1] if text.strip()]
    return bool(spoken) and all(_OF_LOGGER.match(text) or below_error(text) for text in _but_warnings(spoken))


def _but_warnings(lines: Iterable[str]) -> Iterator[str]:
    """Some lines without Python's warnings, and what it shows of the program below them."""
    warned = False
    for text in lines:
        warned = _WARNS.match(text) is not None or (warned and _BELOW.match(text) is not None)
        if not warned:
            yield text


def last_words(facts: Facts, file: int) -> list[tuple[int, str]]:
    """The last lines with words of a file, and their numbers."""
    first, lines = tail(facts, file, NEAR)
    return [(n, text) for n, text in enumerate(lines, first) if any(c.isalpha() for c in text)][-LAST_WORDS:]


_DONE_AT: WeakKeyDictionary[Facts, dict[int, int | None]] = WeakKeyDictionary()
"""Of each file the line of such words, once asked for: thousands of lines may ask."""


def long_past(facts: Facts, record: Record) -> bool:
    """Whether a line stands far above the words with which its file ends, that its program is done."""
    known = _DONE_AT.setdefault(facts, {})
    if record.file not in known:
        known[record.file] = _done_at(facts, record.file)
    done = known[record.file]
    return done is not None and record.line < done - NEAR and facts.exits.failed is None


def _done_at(facts: Facts, file: int) -> int | None:
    through = said_last(facts, file, results=False)
    text = "".join(facts.case.bodies(file, through, 1)) if through is not None else ""
    return through if _DONE.search(text[-LONGEST:]) else None


def quiet_after(facts: Facts, file: int, line: int) -> bool:
    """Whether little stands after a line in its file, and nobody complains there, in whatever words."""
    first, lines = tail(facts, file)
    passed = passed_over(facts, file)
    return line >= first and _quietly_ends([t for n, t in enumerate(lines, first) if n > line and n not in passed])


def passed_over(facts: Facts, file: int, reach: int = TAIL) -> set[int]:
    """Lines of tracebacks that their program survived, or behind which it was started again, those that say so above
    them, declared noise, and requests among so many of the last lines that were refused and others answered later; and
    complaints of single items."""
    ignored = [e for e in facts.exceptions_of(file) if e.ignored or ran_again(facts, e.record)]
    taken = {n for e in ignored for n in (*lines_of(e), e.record.line - ABOVE)} | noise_lines(facts, file)
    first, lines = tail(facts, file, reach)
    told = (r.line for r in facts.case.records.of("nextflow.passed_over") if r.file == file)
    taken |= {n for line in told for n in range(line - RETOLD, line + 1)}
    numbered = [*enumerate(lines, first)]
    taken |= passed_requests(numbered) | failed_items(numbered[-2 * NEAR :]) | tried_again(numbered)
    taken |= counted_as_caught(numbered)
    below = (n + 1 for n, text in numbered if BARE_LEVEL.search(text[:HEAD]))
    return taken | {*_shut_down(numbered), *_made_up_for(numbered), *_counted(numbered), *below}


def _counted(lines: Iterable[tuple[int, str]]) -> list[int]:
    """The numbers of lines that complain and begin with a count up to one total, which goes on to the last one: they
    tell of one thing of many each."""
    told = [(number, int(m[1]), m[2], text) for number, text in lines if (m := _ITEM.match(text))]
    grows = len({total for *_, total, _ in told}) == 1 and all(one[1] < other[1] for one, other in pairwise(told))
    return [number for number, *_, text in told if speaks_of_trouble(text)] if grows and len(told) >= ITEMS else []


def _made_up_for(lines: Iterable[tuple[int, str]]) -> Iterator[int]:
    """The numbers of lines right below which their program says that it takes another way, or has done what failed."""
    last, failed = 0, ""
    for number, text in lines:
        if last and (FALLS_BACK.search(text) or (failed and "successfully" in text and failed in text)):
            yield last
        if any(c.isalpha() for c in text):
            last, failed = number, m[1] if (m := _FAILED_TO.search(text)) else ""


def _shut_down(lines: Iterable[tuple[int, str]]) -> Iterator[int]:
    """The numbers of lines right below the word that a server was shut down, in which its parent misses it."""
    left = 0
    for number, text in lines:
        left = MISSED_IN if _SHUT_DOWN.search(text) else max(0, left - 1)
        if left and _MISSED.search(text):
            yield number


def noise_lines(facts: Facts, file: int) -> set[int]:
    """The lines of a file that are declared noise."""
    records = facts.case.records
    noise = records.rows[records.indices(*(p.name for p in records.patterns if p.role is Role.NOISE))]
    return set(noise["line"][noise["file"] == file].tolist())


def lines_of(e: ExceptionFact) -> range:
    return range(e.record.line, e.record.line + e.traceback.last_index + 1)


def tail(facts: Facts, file: int, lines: int = TAIL, *, earlier: bool = False) -> tuple[int, list[str]]:
    """The number of the first of the last lines of a file, as far as they are the attempt's or also of `earlier` ones,
    and their ends."""
    case = (facts.whole or facts).case if earlier else facts.case
    first = max(case.first_line(file) if earlier else facts.begins_at(file), case.line_count(file) - lines + 1)
    return first, [_shown(text) for text in case.bodies(file, first, lines)]


def _shown(text: str) -> str:
    """A line as far as it is looked at: how a very long one begins, or was last rewritten."""
    return text[-LONGEST:] if "\r" in text else text[:LONGEST]


def _quietly_ends(after: Sequence[str]) -> bool:
    """Whether lines after the last progress are few, or close a run, and speak of no trouble."""
    spoken = [text for text in after if text.strip()]
    closed = any(CLOSING.search(text) for text in spoken[-CLOSING_NEAR:])
    return not any(speaks_of_trouble(text) for text in after) and (len(spoken) <= NEAR or closed)


def advancing(lines: Sequence[str]) -> Iterator[int]:
    """Indices of the last line of each sentence whose numbers change, and of each bar that fills."""
    sentences: dict[str, dict[str, int]] = defaultdict(dict)
    bars: dict[str, dict[str, int]] = defaultdict(dict)
    for index, text in enumerate(lines):
        for done, total in _BAR.findall(text):
            bars[total][done] = index
        if (_WORDS.search(text) or _RUNS.search(text)) and _NUMBER.search(text):
            sentences[_NUMBER.sub("#", text.strip())[:LONGEST]][text] = index
    for seen in (*sentences.values(), *bars.values()):
        if len(seen) >= TIMES:
            yield max(seen.values())
    yield from (max(seen.values()) for seen in bars.values() if len(seen) < TIMES and _has_begun(lines, seen))


def _has_begun(lines: Sequence[str], bar: Mapping[str, int]) -> bool:
    """Whether a bar that is not of the set-up has left its start: the first step of a large model takes minutes."""
    return len(bar) > 1 and "0" in bar and not any(_OF_SET_UP.search(lines[at]) for at in bar.values())


def _working(lines: Sequence[str]) -> Iterator[int]:
    """Indices of the last line of each sentence that says figures which go up and down: whatever they are of."""
    said: dict[str, dict[float, int]] = defaultdict(dict)
    for index, text in enumerate(lines):
        if (figure := _FIGURE.search(text)) and not _OF_STATE.search(text):
            said[_NUMBER.sub("#", text.strip())[:LONGEST]][float(figure[0])] = index
    for figures in said.values():
        values = list(figures)
        if len(values) >= STEADY and values != sorted(values) and values != sorted(values, reverse=True):
            yield max(figures.values())

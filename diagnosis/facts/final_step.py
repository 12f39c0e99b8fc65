"""The last step that the ends of files show: of bars that are rewritten in one line, and of words of farewell.

Step lines are printed every so often; what came after the last of them is told by a bar (`262/2836 [01:42<14:26`), by a
saved checkpoint (`iter_13408`) or by the count that is full (`9751/9751`).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from logtui.diagnosis.facts.alike_lines import Alike
from logtui.diagnosis.facts.bars import bar_in
from logtui.diagnosis.facts.counters import BEGINS
from logtui.diagnosis.facts.epochs import epoch_of_part, epoch_of_whole, epochs_behind, only_begun
from logtui.diagnosis.facts.faint_steps import (
    ELSE,
    SETTING,
    abbreviated,
    averaged,
    entry,
    faint_step,
    fitted,
    reached,
    rounds,
    summed_up,
    totals,
    trials,
    whole_plan,
)
from logtui.diagnosis.facts.lone_steps import any_bar, best_epoch, lone_part, lone_step, passed_by, work_done
from logtui.diagnosis.facts.mlperf_steps import OF_MLPERF, mlperf_step
from logtui.diagnosis.facts.plain_counts import (
    amount_done,
    bare_rows,
    epoch_table,
    leading_total,
    lone_total,
    plain_count,
)
from logtui.diagnosis.facts.progress import LEAST
from logtui.diagnosis.facts.run_pl import iterations_done
from logtui.diagnosis.facts.shown_ends import TAIL_BYTES, behind_last, ends_of, far_ends
from logtui.diagnosis.facts.step_words import LEARNT_ABROAD, STEP_ABROAD
from logtui.diagnosis.facts.steps import StepSeries, last_step
from logtui.diagnosis.facts.training_bars import (
    TRAINS,
    bars_of,
    begins_anew,
    epoch_of_bar,
    filled_within,
    fills_anew,
    last_bar,
    stands_at_nothing,
)
from logtui.parsers.files.case import Case
from logtui.parsers.records.learnt import LEARNT
from logtui.parsers.records.record import Record
from logtui.parsers.regex import regex

FURTHER = 1.02
"""Of a step so far on is the last one."""
WITHIN = -1
"""The total of no bar: all count something within an epoch."""
PLAN = "huggingface.plan"
FEW = 8
"""Steps that are looked for by their digits."""
INTERVALS = 1.5
"""So many usual distances between step lines may lie between the last of them and the last step."""
STILL, FEW_SAID = 50, 4
"""Lines for each different number from which a sentence counts nothing; so few are no steps of an epoch."""
LINKS = 16
"""Step lines that no pattern knows between the last known one and the last one."""
KNOWN_BY = 32
"""Characters by which a line is known again."""
CHECK, LARGER, LONG_CHECK = 16, 20, 128
"""Lines of a check of a model that count in the words of training, whose total is so many times as large; lines of one
that is announced."""
_CHECK_BEGINS = regex(
    r"(?i)\W{0,8}(?:start(?:ing)? |begin(?:ning)? |running )?(?:the )?(?:eval|validat|valid\b|test)\w{0,8}\b"
)
_OF_BAR, _OF_EPOCH, _OF_COUNT = b"%", b"poch", b"/"
_SAID = regex(
    r"(?i)(?<![a-z])(?:(?:time)?step|iter(?:ation)?|batch_(?:idx|index)|round)"
    r"(?:s(?! ?[=:] {0,4}\d{1,9}(?! ?/|\d)))?(?:_num)?['\"]?"
    r"[ =:_#|]{0,8}0{0,8}(\d{1,9})(?![\d.])|(?<!\d)(\d{1,9})/\2(?!\d)|@ (\d{1,9}) updates\b"
    r"|^ {0,8}(\d{1,9}) {0,4}[|,:] {0,4}(?:train[_ ])?loss\b|\bbatch(?:es)?\W{1,4}(\d{1,9})(?:/| {1,3}of {1,6})\d"
    r"|\btrain(?:ing)?:? \[ ?(\d{1,9})/\d{1,9}\](?=\[)"
    rf"|(?:{STEP_ABROAD})[ :：=_]{{0,4}}(\d{{1,9}})(?![\d.])|\bSaving checkpoints for (\d{{1,9}}) into\b"
)
"""Each way of saying it has a group of its own."""
_REACHED = 2
"""The group of what is said to be reached, in whatever words."""
_IN_EPOCH = regex(r"(?i)epoch\W{0,4}\d{1,6}\W{0,4}(?:[a-z]{1,12}\W{0,3})?[\[(] {0,8}(\d{1,9})/\d{1,9}(?!\d| ?\(\d)")
"""Where in an epoch a line stands, but for that of a sample, whose share follows."""
_SAMPLES = regex(r"(?i)^[^|]{0,60}\btrain\w* epoch:? \[?(\d{1,6})\]? {0,3}[\[(] {0,8}\d{1,9}/\d{1,9} \(\d{1,3}%\)")
"""`Train Epoch: 5 [57600/60000 (96%)]`: its samples are no steps."""
_EPOCH_ROW = regex(r"^ {2,12}(\d{1,6})/\d{1,6} {2,10}\d[\d.]{0,6}[GM] ")
"""Ultralytics': the epoch and the GPU memory, before losses and a bar of its batches."""
_TOLD_OF = regex(rf"loss|train|checkpoint|{LEARNT_ABROAD}", re.I)
_SUMMARY = "wandb: "
"""A tracker's, at the end, of what was logged the last time: later steps may stand above it."""
_DAY = regex(r"20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
"""A date in a name, `epoch_20310203_040506`."""
_MAY_SAY = regex(rf"/\d|step|iter|batch_|round|updates|loss|checkpoints for|{STEP_ABROAD}", re.I)
"""What every text has that says a step."""


def final_step(case: Case, steps: Sequence[StepSeries], begins: Mapping[int, int] | None = None) -> int | None:
    """The last step printed, or a later one that the end of a file shows.

    `begins` are the bytes at which the attempt begins, of files that are known to hold earlier ones too.
    """
    if (made := iterations_done(case)) is not None:
        return made
    ends = list(ends_of(case, begins or {}, TAIL_BYTES))
    moving = [s for s in steps if len(s.steps) < LEAST or s.steps.min() < s.steps.max()]  # others count nothing
    moving = [] if _outdated(case, moving) and _trains_on(ends) else moving
    whole = epochs_behind(case, moving) if moving else epoch_of_whole(ends, steps)
    found = whole or epoch_of_part(ends, moving, _of_ends(case, moving, begins, ends))
    if found is not None and found <= 1:  # of a bar of one batch
        found = _most((found, *map(reached, ends)))
    rows = _most(map(bare_rows, ends))
    if rows is not None and rows > (found or 0):
        return rows
    tuned = _most(map(trials, ends))
    if tuned is None or (found is not None and tuned <= found <= tuned * FURTHER):
        return found if found is None else found - only_begun(ends, found)
    return tuned


def _outdated(case: Case, steps: Sequence[StepSeries]) -> bool:
    """Whether the last of all step lines stands in the first half of its file, far from its end."""
    last = [(case.files[s.file], case.records[int(s.rows[-1])].offset) for s in steps if len(s.rows)]
    return bool(last) and all(2 * at < file.size > at + TAIL_BYTES for file, at in last)


def _trains_on(ends: Iterable[Sequence[str]]) -> bool:
    """Whether the ends of files name steps beside a loss, in words of their own: the program was changed."""
    return any(lone_step([text]) is not None and not ELSE.search(text) for end in ends for text in end[-FEW:])


def _of_ends(
    case: Case, steps: Sequence[StepSeries], begins: Mapping[int, int] | None, ends: Sequence[list[str]]
) -> int | None:
    for sums_up in (_summed_bar, averaged, fitted, rounds, entry, totals):
        if (made := _most(map(sums_up, ends))) is not None:
            return made
    if (logged := _of_mlperf(case, begins or {}, ends)) is not None:
        return logged
    last = _most((_shown_last(case, steps, ends), *map(abbreviated, ends)))
    if (plan := _planned(case, ends)) is not None and plan > (last or 0):
        return plan
    if last:
        return _most(epoch_of_bar(end, last) for end in ends) or last
    far = list(far_ends(case, begins or {}, _OF_BAR))  # what is printed between steps may be much
    shown = _most(_told(end) if (bar := last_bar(end)) is None else bar for end in far)
    if shown or any(stands_at_nothing(bars, end) for bars, end in zip(far, ends, strict=False)):
        return shown or 0
    for read in _FAINT if shown is None else _FAINT[:-FAINTEST]:
        found = [n for end in ends if (n := read(end)) is not None]
        if found and max(found) == 0 and (part := max((n for end in ends if (n := lone_part(end))), default=0)):
            return part  # of one training of many, which counts from nothing again
        if found:
            return _last_named(ends, max(found)) if read is faint_step else max(found)
    if shown is None and last is None:
        return _far_step(case, begins or {})
    return last if shown is None else shown


def _most(told: Iterable[int | None]) -> int | None:
    """The largest of what the ends of files tell; None where none of them does."""
    return max((n for n in told if n is not None), default=None)


def _last_named(ends: Iterable[Sequence[str]], known: int) -> int:
    """The last step that a line names alone, or that a bar came to, where it is one more than what is counted again and
    again, or not far from it."""
    named = (n for end in ends if (n := lone_step(end)) is not None and known < n <= max(known + 1, known * FURTHER))
    shown = (n for end in ends if (n := passed_by(end, known)) is not None and n > known)
    return max((*named, *shown), default=known)


_FAINT: tuple[Callable[[Sequence[str]], int | None], ...] = (
    faint_step, lone_step, work_done, lone_part, any_bar, plain_count, amount_done, lone_total, leading_total,
    best_epoch, epoch_table,
)  # fmt: skip
FAINTEST = 6
"""The last ones, which count whatever grows: not where a bar stands at its beginning."""


def _summed_bar(end: Sequence[str]) -> int | None:
    """The steps that Hugging Face's Trainer sums up, where a bar has as many."""
    summed = summed_up(end)
    return summed if summed is not None and any(bar.of == summed for bar in bars_of(end)) else None


def _far_step(case: Case, begins: Mapping[int, int]) -> int | None:
    """What lines say that stand far from the ends of files, behind which much else was printed."""
    far = list(far_ends(case, begins, _OF_EPOCH))
    epoch = next((n for read in (lone_step, faint_step) if (n := _most(map(read, far))) is not None), None)
    return _most(map(work_done, far_ends(case, begins, _OF_COUNT))) if epoch is None else epoch


def _of_mlperf(case: Case, begins: Mapping[int, int], ends: Iterable[list[str]]) -> int | None:
    """What MLPerf's own log counts; many tasks may tell of their ends behind it."""
    if "mlperf" not in case.records.areas:
        return None
    near = [n for n in map(mlperf_step, ends) if n is not None]
    far = map(mlperf_step, far_ends(case, begins, OF_MLPERF))
    return max(near or (n for n in far if n is not None), default=None)


def _planned(case: Case, ends: Iterable[Sequence[str]]) -> int | None:
    """The steps that a trainer planned and, as it sums up, made."""
    told = [n for record in case.records.of(PLAN) if (n := record.number("total_steps")) is not None]
    return told[-1] if told and any(whole_plan(end, told[-1]) for end in ends) else None


def _shown_last(case: Case, steps: Sequence[StepSeries], ends: Sequence[list[str]]) -> int | None:
    known = last_step(steps)
    total = None if known is None else _total(case, steps, known)
    if known is not None and total is not None and (before := _before_check(case, steps, known, total)) is not None:
        return before
    declared = any(_declared(s) for s in steps)
    if known is not None and not declared and (filled_within(ends, total, known) or _stands_still(steps)):
        known, steps = None, ()
    said_last = "" if known is None else _text_of(case, steps, known)
    if known is not None and known == total and not declared and _filled_often(steps, total):
        epoch = _most(map(lone_step, ends))
        if epoch is not None:
            return epoch
    whole, ends = ends, ends if known is None else [_since(end, known, said_last) for end in ends]
    bar = _most(map(last_bar, ends))
    if known is None and (epoch := _most(map(_of_samples, ends))):
        return epoch
    if known is None or not any(len(np.unique(s.steps)) > 1 for s in steps):
        summed = _most(map(summed_up, ends)) if known is None and bar is not None else None
        if summed is not None and bar is not None and bar < summed:  # of a check behind the training
            return summed
        return _most((known, bar or _most(map(_told, ends)), bar))
    within = any(fills_anew(end) for end in ends)
    if bar is not None and bar > known and not declared and not within:
        of_epochs = _names_epoch(said_last, known) and len({b.of for end in whole for b in bars_of(end)}) > 1
        return max(known, *map(_epoch_named, ends)) if of_epochs else bar
    if total is not None and any(begins_anew(end, total) for end in ends):
        return bar
    unit = WITHIN if within and total is None else total
    counts_to = _total_beside(whole, known) if total is None else total
    return _beyond(ends, said_last, known, INTERVALS * _interval(steps, known), counts_to, unit)


def _of_samples(end: Iterable[str]) -> int | None:
    """The last epoch of which samples are counted, without a bar."""
    last = deque((found[1] for text in end if "%)" in text and (found := _SAMPLES.search(text))), maxlen=1)
    return int(last[0]) if last else None


def _beyond(
    ends: Sequence[list[str]], said_last: str, known: int, reach: float, total: int | None, unit: int | None
) -> int:
    """How far what is said behind the last step line leads; `unit` is the total of the bars that count the same."""
    begun = [_begun_alike(end, said_last, known) for end in ends]
    if (anew := _anew(ends, begun, said_last, known)) is not None:
        return anew
    of_total = _of_total(total)
    counted = max((_went_on(_counted(end, of_total, known), known, reach) for end in ends), default=known)
    said = (
        n
        for end, alike in zip(ends, begun, strict=True)
        for n in (
            *(() if _is_epoch(said_last, known, total) else _said_up_to(end, known, known + reach, unit)),
            *((_epoch_named(end), work_done(end) or 0) if _SAVED.search(said_last) else ()),
            *alike,
            *_rows(end),
        )
    )
    return max(counted, _farther(said, known, reach))


def _anew(ends: Sequence[list[str]], begun: Sequence[list[int]], said_last: str, known: int) -> int | None:
    """How far another training came that was begun anew, under another name or with figures of another width."""
    alike = (begun, (_named_alike(end, said_last, known) for end in ends))
    newer = next(filter(None, ([n for told in way for n in behind_last(told, known)] for way in alike)), [])
    falls = newer and newer[-1] < known and (newer[0] <= 1 or 2 * newer[-1] <= known)
    return newer[-1] if falls else None


def _went_on(counts: Iterable[int], known: int, reach: float) -> int:
    """How far a count up to the total of the last step line leads, step by step."""
    for n in counts:
        known = n if known < n <= known + reach else known
    return known


def _begun_alike(end: Iterable[str], text: str, known: int) -> list[int]:
    """The numbers of lines that begin as the last step line does, whose end may be another, or cut."""
    before = re.match(rf"(.{{3,{2 * KNOWN_BY}}}?)(?<!\d)0{{0,8}}{known}(?!\d|\.\d)", text)
    if before is None or not TRAINS.search(before[1]):
        return []
    words = r"\d{1,12}".join(map(re.escape, re.split(r"\d+", before[1])))
    same = re.compile(rf"^{words}0{{0,8}}(\d{{1,9}})(?!\d|\.\d)")
    return [int(found[1]) for line in end if (found := same.match(line))]


def _named_alike(end: Iterable[str], text: str, known: int) -> list[int]:
    """The numbers that stand between the same words as in the last step line, whatever stands before them."""
    near = re.search(rf"([A-Za-z]\w{{2,11}}\W{{1,3}})0{{0,8}}{known}(\D{{4,8}})", text)
    if near is None:
        return []
    same = re.compile(rf"(?<!\w){re.escape(near[1])}0{{0,8}}(\d{{1,9}}){re.escape(near[2])}")
    return [int(found[1]) for line in end if (found := same.search(line))]


def _farther(said: Iterable[int], known: int, reach: float) -> int:
    """How far what is said leads, each no farther from the one before than step lines are apart."""
    farthest, links = known, 0
    for n in said:
        if farthest < n <= farthest + reach and (links < LINKS or n <= known + reach):
            farthest, links = n, links + 1
    return farthest


def _stands_still(steps: Iterable[StepSeries]) -> bool:
    """Whether a sentence that was taken for a count says the same few numbers again and again."""
    return all(len(np.unique(s.steps)) <= FEW_SAID and len(s.steps) >= STILL * len(np.unique(s.steps)) for s in steps)


def _is_epoch(text: str, number: int, total: int | None) -> bool:
    """Whether a number is that of an epoch, of which so many are made, or beside which a bar tells how far it is."""
    if total is not None and re.search(rf"(?i)\bepoch\W{{0,4}}0{{0,8}}{number} ?/ ?0{{0,8}}{total}(?!\d)", text):
        return True
    return bar_in(text) is not None and _names_epoch(text, number)


_EPOCH = regex(r"(?i)\bepoch\W{0,4}0{0,8}(\d{1,7})\b(?![/.]\d)")
_SAVED = regex(r"(?i)\bsav(?:ed|ing)\b")
"""Of the best model: later epochs were no better."""


def _epoch_named(end: Iterable[str]) -> int:
    """The last epoch that a line names; 0 where none does."""
    last = deque((found[1] for text in end if (found := _EPOCH.search(text))), maxlen=1)
    return int(last[0]) if last else 0


def _names_epoch(text: str, number: int) -> bool:
    return bool(re.search(rf"(?i)\bepoch\W{{0,4}}0{{0,8}}{number}\b(?!/)", text))


def _filled_often(steps: Iterable[StepSeries], total: int) -> bool:
    """Whether a count was full more often than it has steps: what is counted of it are the epochs."""
    return any(np.count_nonzero(s.steps == total) > max(total, LEAST) for s in steps)


def _said_up_to(end: list[str], known: int, limit: float, total: int | None) -> Iterator[int]:
    """What is said in an end that may lie between two steps: where those are few, few lines hold them."""
    steps = [str(n) for n in range(known + 1, min(int(limit), known + FEW + 1) + 1)]
    telling = end if len(steps) > FEW else [text for text in end if any(n in text for n in steps)]
    return (n for text in telling if not SETTING.search(text) for n in _said(text, total))


def _counted(end: list[str], of_total: re.Pattern[str], known: int) -> list[int]:
    """What was counted up to the total since the last step line was shown: before it an epoch may have ended."""
    counts = [int(n) for text in end for n in of_total.findall(text)]
    passed = len(counts) - counts[::-1].index(known) if known in counts else 0
    return counts[passed:]


def _of_total(total: int | None) -> re.Pattern[str]:
    """Finds what stands before the total that the last step line gives; nothing where it has none."""
    return re.compile(r"(?!)(\d)" if total is None else rf"(?<!\d)0{{0,8}}(\d{{1,9}}) ?/ ?0{{0,8}}{total}(?![\d.])")


def _total_beside(ends: Iterable[Iterable[str]], known: int) -> int | None:
    """The total up to which lines that begin with a count, `[2999/10000]; loss: 0.5`, were at the last step as well."""
    at = re.compile(rf"\W{{0,4}}0{{0,8}}{known} ?/ ?(\d{{1,9}})(?![\d.])")
    totals = {int(found[1]) for end in ends for text in end if (found := at.match(text))}
    return totals.pop() if len(totals) == 1 else None


def _total(case: Case, steps: Sequence[StepSeries], known: int) -> int | None:
    """The total that stands behind the last step; None where none does."""
    return _total_behind(_text_of(case, steps, known), known)


def _total_behind(text: str, step: int) -> int | None:
    total = re.search(rf"(?<!\d)0{{0,8}}{step} ?/ ?0{{0,8}}(\d{{1,9}})(?!\d|\.\d)", text)
    return int(total[1]) if total else None


def _before_check(case: Case, steps: Sequence[StepSeries], known: int, total: int) -> int | None:
    """The last step of training, where the last lines count a check of few steps in the same words, or one that a line
    announces; None elsewhere."""
    series = _farthest(steps, known)
    below = case.records[int(series.rows[-1])]
    for back, row in enumerate(series.rows[-2 : -LONG_CHECK - 2 : -1].tolist()):
        record = case.records[row]
        step = int(record.numbers[0])
        of = _total_behind(case.text_at(record.file, record.offset, record.length), step)
        if of is not None and of != total:
            few = back < CHECK and of >= LARGER * total and step > known
            return step if few or _check_begins(case, record, below) else None
        below = record
    return None


def _check_begins(case: Case, above: Record, below: Record) -> bool:
    """Whether a line between two step lines says that an evaluation begins."""
    many = min(below.line - above.line - 1, FEW)
    between = case.bodies(above.file, above.line + 1, many) if above.file == below.file and many > 0 else []
    return any(_CHECK_BEGINS.match(text) for text in between)


def _text_of(case: Case, steps: Sequence[StepSeries], known: int) -> str:
    """The line that says the last step."""
    record = case.records[int(_farthest(steps, known).rows[-1])]
    return case.text_at(record.file, record.offset, record.length)


def _since(end: list[str], step: int, line: str = "") -> list[str]:
    """What was shown since words named a step the last time, or since the line that says it, but for what says that the
    next one begins: what stands before it may be an earlier run's."""
    may_name = _may_name(step)
    told = (at for at in range(len(end) - 1, -1, -1) if may_name.search(end[at]))
    known = next((at for at in told if step in _said(end[at]) and _is_told(end[at])), None)
    if known is None and line and (bar_in(line) is None or TRAINS.search(line[:KNOWN_BY])):
        known_by = line.strip()[:KNOWN_BY]
        known = next((at for at in range(len(end) - 1, -1, -1) if end[at].lstrip().startswith(known_by)), None)
    return [text for text in end[known or 0 :] if not BEGINS.search(text)]


def _may_name(step: int) -> re.Pattern[str]:
    """Finds digits that may name a step, which to make sure of takes long: not those of a total, `12/340`."""
    return re.compile(rf"{step}(?:(?<![/1-9]{step})|(?=/{step}))")


def _is_told(text: str) -> bool:
    """Whether a line is the training's own: a bar of something else, without a name, may stand at the same number."""
    bar = bar_in(text)
    return not text.startswith(_SUMMARY) if bar is None else bool(TRAINS.search(bar["label"] or ""))


def _declared(series: StepSeries) -> bool:
    """Whether these are step lines of a known trainer, and more than one that tells of its beginning."""
    return series.pattern != LEARNT.name and len(np.unique(series.steps)) >= LEAST


def _told(end: Sequence[str]) -> int | None:
    """The step of the last line that names it beside a loss, or a checkpoint: too few of its kind to learn from."""
    rows = _rows(end)
    if rows:
        return rows[-1]
    tells = Alike(_tells)
    last = deque((n for text in end if tells.of(text) for n in _steps_of(text)), maxlen=1)
    return int(last[0]) if last else None


def _tells(text: str) -> bool:
    """Whether a line is about a loss or a checkpoint of training."""
    told = _TOLD_OF.search(text) and not ELSE.search(text) and not SETTING.search(text)
    return bool(told) and "warm-up" not in text[: 2 * KNOWN_BY]


def _rows(end: Iterable[str]) -> list[int]:
    """The epochs that rows begin with."""
    return [int(m[1]) for text in end if (m := _EPOCH_ROW.match(text))]


def _steps_of(text: str) -> list[str]:
    """The steps that a line names; where it names none, how far in its epoch it is."""
    said = [m[m.lastindex] for m in _SAID.finditer(text) if m.lastindex and m.lastindex != _REACHED]
    said = [number for number in said if not _DAY.fullmatch(number)]
    return said or _IN_EPOCH.findall(text)


def _farthest(steps: Sequence[StepSeries], known: int) -> StepSeries:
    """The series whose last step is known to be the last of all."""
    return next(s for s in steps if int(s.steps[-1]) == known)


def _interval(steps: Sequence[StepSeries], known: int) -> float:
    """The usual distance between the step lines of the series that went so far."""
    series = _farthest(steps, known)
    gaps = np.diff(np.unique(series.steps[-512:]))
    return float(max(np.median(gaps), gaps[-1])) if len(gaps) else 0.0


def _said(text: str, total: int | None = None) -> Iterator[int]:
    """What a line says, without the state of a bar of another total that has no name."""
    bar = bar_in(text)
    if bar is not None and (total in (None, int(bar["of"])) or TRAINS.search(bar["label"] or "")):
        yield int(bar["step"])
    if bar is not None and total == WITHIN:
        return
    if _MAY_SAY.search(text):
        yield from (int(m[m.lastindex or 0]) for m in _SAID.finditer(text))

"""How far the work went where no line counts training again and again: one line that names a step, or other work.

A job that dies in its first step names it once; one that evaluates counts batches, samples or tasks of its own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from logtui.diagnosis.facts.bars import bar_in
from logtui.diagnosis.facts.shown_ends import of_program
from logtui.parsers.regex import regex

LEAST = 4
"""Numbers of one sentence, growing, that show that it counts work; one less where they are of a total."""
SHOWN = 80
"""Characters of a sentence by which it is known again."""
_OF_WHAT = regex(r"[ )\]:,-]{0,3}[a-z]{1,8}\b|[ )\]:,%-]{1,3}")
"""What stands behind the number and is of the sentence: names of what is worked on may follow."""
_STEP = regex(
    r"(?<![a-z_/.-])(?:(?:global|train(?:ing)?)[ _]?)?(?:step|iter(?:ation)?|itr|(?:mini-?)?batch|update)"
    r"(?:[ _](?:idx|index|number|num|no|id))?[\"']?[ :=#\[(]{1,8}(\d{1,9})(?!\d|\.\d|[%:-])",
    re.I,
)
_EPOCH = regex(
    r"(?<![a-z_/.-])(?:train_)?(?:epoch|ep|round|episode)\.?"
    r"(?:[ _](?:idx|index|number|num|no|id)| \((?:train|val|test|eval)\))?[\"']?"
    r"(?:[ :=#\[(]{1,8}|(?<=[^a-z]ep)|(?<=[^a-z]epoch))"
    r"(\d{1,7})(?!\d|\.\d|[%-]|:\d)",
    re.I,
)
_AT_EPOCH = regex(r"\b(?:at|from|in) epoch (\d{1,7})(?!\d|\.\d|/)", re.I)
_PART = regex(
    r"(?<![a-z_/.-])(?<!best )(?:fold|trial"
    r"|(?:process(?:ing|ed)|evaluat(?:ing|ed)|analy[sz](?:ing|ed)|structure of) (?:the )?"
    r"(?:file|image|sample|sentence|question|item|frame|video|tree|scene|sequence|document|chunk))"
    r"[\"']?[ :=#\[(]{1,8}(\d{1,9})(?![\d.%:-])",
    re.I,
)
"""One of several trainings of a job, or of what it works on."""
_DOES = regex(
    r"loss|\blr\b|acc|\bcurrent\b|\breducing\b|process|perform|structure of|train|runn|start|begin|finish|fail|prun"
    r"|\d out of|done|complet|time|took|after|before|evaluat|validat|testing|\| steps?: ?\d|/\d|(?:\w=\d.{0,40}){2}",
    re.I,
)
"""What says of a step that the program is at it."""
_ALONE = regex(
    r"(?:^|[\]|>)]|\b(?:INFO|DEBUG)\b| - )\W{0,12}"
    r"(?:(?:(?:global|train(?:ing)?)[ _]?)?(?:epoch|step|iter(?:ation)?|batch|round)"
    r"(?:[ _](?:index|number):)?[ #\[]{1,8}\d{1,9}(?:/\d{1,9})?\W{0,40}){1,3}$",
    re.I,
)
"""A line that does nothing but name one; with a colon it may be set."""
_SET = regex(
    r"namespace|argument|config|\bargs?\b|hyper|--\w|\b(?:re|down)?load|restor|resum|token|warm-?up|compil|captur"
    r"|autotun|best|every|each|\bper (?:epoch|step)|max[ _]|\bnum(?:ber)?\b"
    r"|train_batch=|total(?![:=] ?\d{1,9}\.\d)|sav(?:e|ing)_|(?<!\| )batch[ _]?size"
    r"|\bepochs[=:] ?\d",
    re.I,
)
"""What is set, or was reached before or elsewhere."""
_PREPARES = regex(
    r"load|download|fetch|(?-i:[Mm]ap)|token|shard|weight|filter|pack|compil|captur|autotun|material|resolv|extract|cach|scan|import"
    r"|build|prepar|preproc|generating \w+ split|init|rank|node|worker|gpu|attempt|retr|param|copy|convert|read|warm",
    re.I,
)
"""Work that comes before what the job is for."""
_ANY_BAR = regex(
    r"(?P<label>[^|%\]]{0,80}?)\d{1,3}%\|[^|]{0,200}\| {0,8}(?P<step>\d{1,9})/\d{1,8} \[(?![^\]]{0,60} ?[kMG]?i?B/s)"
)
_FETCHES = regex(r"download|fetch|pipeline components|shard|weight|upload|\bsav|install|pull|captur", re.I)
_OF = r"(?: ?/ ?| {1,4}(?:of|out of|von|de|sur|di|van|из) {1,4})"
_OF_TOTAL = regex(rf"(?<![\w./-])(\d{{1,9}}){_OF}(\d{{1,9}})(?![\w/-]|\.\d| \d\d:)")
"""No date, behind which the time stands."""
_DONE_OF = regex(
    rf"(?<![\w./-])(\d{{1,9}}){_OF}\d{{1,9}} {{1,3}}(?:[a-z]{{1,12}} )?(?:completed?|done|finished|processed)\b"
    rf"|\bDone {{1,4}}(\d{{1,9}}){_OF}\d{{1,9}} \|",
    re.I,
)
"""Joblib's among them."""
_CLAUSE = regex(r"[.,;|] ")
"""What ends the words that a number belongs to."""
_NUMBER = regex(r"(?<![\w.-])\d{1,9}(?![\w.%-])")
_BEST = regex(r"\bbest\b", re.I)
_OF_RANK = regex(r"^\W{0,2}rank \d{1,6}\]? ?[|:] ", re.I)
_OF_THREAD = regex(r"\b(?:INFO|DEBUG)\b[\]: -]{1,8}[\[(][A-Za-z][\w-]{0,30}[\])]:? ")
"""Who writes, behind a record's level: several count in turn."""
_TOTAL = regex(rf"0{_OF}0.* \d{{1,9}}$")
_DONE = regex(
    r"\b(?:done|finish(?:ed)?|complete[d]?|process(?:ed|ing)?|ended|end|saved|evaluat(?:ed|ing)|writing|wr(?:ote|itten)|decod(?:ed|ing))\b",
    re.I,
)


def lone_step(end: Sequence[str]) -> int | None:
    """The step, else the epoch, of the last line that says that the program is at one."""
    for text in map(of_program, reversed(end)):
        named = _STEP.search(text) or _EPOCH.search(text)
        if named and (_ALONE.search(text) or (_DOES.search(text) and not _SET.search(text))):
            return int(named[1])
    return None


def lone_part(end: Sequence[str]) -> int | None:
    """The fold or the trial of the last line that says that the program is at one; the best one may stand behind it."""
    found = (named for text in reversed(end) if (named := _PART.search(text)) and _DOES.search(text))
    last = next((named for named in found if not _BEST.search(named.string, 0, named.start())), None)
    return int(last[1]) if last else None


def work_done(end: Sequence[str]) -> int | None:
    """What other work counted last: batches of a test, samples, tasks; None where nothing but preparations count."""
    bars = [bar for text in end if "/" in text and (bar := bar_in(text)) and not _PREPARES.search(bar["label"] or "")]
    if bars and int(bars[-1]["step"]):
        return int(bars[-1]["step"])
    counted = _counted(end)
    moved = [bar for bar in bars if int(bar["step"])]
    if counted is None and moved and moved[-1]["of"] == bars[-1]["of"] == moved[-1]["step"]:
        # what was done too fast left no other state
        return int(moved[-1]["step"])
    return 0 if counted is None and bars else counted


def any_bar(end: Sequence[str]) -> int | None:
    """The last state of a bar of whatever work but a download, where nothing else counts; None where it never moved."""
    bars = [m for text in end if "%|" in text for m in _ANY_BAR.finditer(text) if not _FETCHES.search(m["label"])]
    return int(bars[-1]["step"]) or None if bars else None


def best_epoch(end: Sequence[str]) -> int | None:
    """The epoch at which the best model was found, where nothing else tells of any: it was reached."""
    found = (m for text in reversed(end) if _BEST.search(text) and (m := _AT_EPOCH.search(text)) is not None)
    last = next(found, None)
    return int(last[1]) if last is not None else None


def passed_by(end: Sequence[str], known: int) -> int | None:
    """The last state of the only bar, where it grew beyond a known step without beginning anew: the two count the
    same."""
    bars = [(int(bar["step"]), bar["of"]) for text in end if "/" in text and (bar := bar_in(text)) is not None]
    states = [step for step, _ in bars]
    one = len({of for _, of in bars}) == 1 and states == sorted(states)
    return states[-1] if one and states[0] <= known < states[-1] else None


def _counted(end: Sequence[str]) -> int | None:
    """The last number of a sentence that counts up to a total, or says of one after the other that it is done."""
    sentences: defaultdict[str, list[int]] = defaultdict(list)
    for said in end:
        text = _OF_RANK.sub("", _OF_THREAD.split(said, 1)[-1])
        number = _OF_TOTAL.search(text) or (_NUMBER.search(text) if _DONE.search(text) else None)
        if number and not _PREPARES.search(text[: number.end()] + _CLAUSE.split(text[number.end() :], 1)[0]):
            sentence = _said(text, number, of_rank=_OF_RANK.match(said) is not None)
            sentences[sentence] = [*sentences.pop(sentence, []), int(number[1] if number.lastindex else number[0])]
    grown = [said for said, numbers in sentences.items() if _counts(numbers, LEAST - bool(_TOTAL.search(said)))]
    return _come_to(sentences, _newest(sentences, grown[-1])) if grown else _full(sentences) or _stated(end)


def _stated(end: Sequence[str]) -> int | None:
    """How many of a total the last line that tells says are done, though it says the same for long."""
    told = (found for text in reversed(end) if (found := _DONE_OF.search(text)) and not _PREPARES.search(text))
    last = next(told, None)
    return int(last[last.lastindex or 0]) if last else None


def _newest(sentences: Mapping[str, Sequence[int]], said: str) -> str:
    """A sentence that counts, or the same words behind it that count up to another total: the next task was begun. One
    that says the same number again counts a part of each."""
    later = [s for s in [*sentences][[*sentences].index(said) + 1 :] if len({*sentences[s]}) == len(sentences[s])]
    alike = (s for s in later if _TOTAL.search(s) and s.rpartition(" ")[0] == said.rpartition(" ")[0])
    return max(alike, key=later.index, default=said)


def _come_to(sentences: Mapping[str, Sequence[int]], said: str) -> int:
    """How far a sentence counted; its total, where the same words name that as reached too."""
    words, _, total = said.rpartition(" ")
    full = _TOTAL.search(said) and int(total) in sentences.get(words, ())[-1:]
    return int(total) if full else sentences[said][-1]


def _full(sentences: Mapping[str, Sequence[int]]) -> int | None:
    """The total that several processes came to, or nearly, each in a line of its own: they do not count in turn."""
    totals = ((int(said.rpartition(" ")[2]), numbers) for said, numbers in sentences.items() if _TOTAL.search(said))
    return next((total for total, numbers in totals if len(numbers) >= LEAST and max(numbers) == total), None)


_BAR_CELLS = regex(r"\[[>=#. -]{8,400}\]")
"""A bar's, of which more are full each time."""


def _said(text: str, number: re.Match[str], of_rank: bool) -> str:
    """A sentence without its numbers, but for the total of a count that is not the count itself, or is one rank's."""
    of = _OF_WHAT.match(text, number.end())
    shown = _BAR_CELLS.sub("[]", text[: of.end() if of else number.end()])
    words = " ".join(re.sub(r"\d+", "0", shown).split())[:SHOWN]
    return f"{words} {number[2]}" if number.lastindex and (of_rank or number[1] != number[2]) else words


def _counts(numbers: Sequence[int], least: int) -> bool:
    """Whether numbers grow, at the end at least."""
    last = numbers[-least:]
    return len(set(last)) == least and last == sorted(last)

"""What a script says of its own failure in plain words, behind which it may still say a few things more.

A stage that failed with a status, a server that was waited for in vain: scripts report them, print their summary and
end as if all were well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from logtui.diagnosis.facts.exits import signal_of
from logtui.parsers.pattern import FailureClass
from logtui.parsers.regex import regex
from logtui.parsers.structure.classification import classify_line

_NO_DATA = regex(
    r"\bno (?:\w{1,20} ){0,2}(?:samples?|images?|data|examples?|records?|rows|sequences|documents?|labels?)\b"
    r"(?: (?:were )?found\b|$|\W)"
    r"|\bempty (?:dataset|data|split|corpus|file)\b|\bcorrupt|\bmalformed\b|\bremoved all reads\b|\bno reads\b"
    r"|\btruncated file\b",
    re.I,
)
_NOT_GIVEN = regex(
    r"\bnot found\b|\bdoes(?: not|n't) exist\b|\bno such\b|\bmissing\b|\binvalid\b|\bunknown\b|\bunrecogni[sz]ed\b"
    r"|\b(?:un|not )supported\b|\bmust (?:be|have|set|specify|match)\b|\bexpected\b|\brequired?\b|\bplease\b"
    r"|\bnot (?:set|specified|provided|given|configured|installed|available|allowed|a valid)\b"
    r"|\b(?:cannot|could not|couldn't|unable to) (?:be )?(?:find|found|locate)\b"
    r"|\bno [\w ]{0,20}(?:licen[cs]e|credentials)\b|\bno (?:valid|such|matching)\b|\bno (?:[\w-]{1,20} ){1,3}found\b",
    re.I,
)
_SERVED = regex(r"\b(?:error code|status(?: code)?)[ :]{1,2}(?:429|5\d\d)\b", re.I)
"""A server's answer: it has too much to do, or failed."""
_REFUSAL = regex(
    r"^(?!(?:\S{0,80}/)?(?:rm|rmdir|mkdir|ls|kill|chmod|chown|touch|find|du|df|cat): )"
    r"(?!.*\b(?:warn\w*|info|debug|using|default\w*|instead|skip\w*|ignor\w*|continu\w*|will|creat\w*"
    r"|download(?:ing|ed)|retry\w*|fall\w*|again|first time|scratch|assum\w*|loss|epoch|step)\b)"
    r"(?:(?:unknown|invalid|unsupported|unrecogni[sz]ed) (?:[\w-]{1,30} ){0,2}[\w-]{1,30}: ?\S.{0,80}$"
    r"|.{3,360}\b(?:does(?: not|n't) exist|(?:was |were |is |are )?not found"
    r"|no such (?:file|directory|model|dataset|task|option)"
    r"|(?:could not|cannot|can't|couldn't|unable to|failed to) (?:find|open|load|read|locate|access|import))\b)",
    re.I,
)
"""A complaint without a level, in the one line with which a program that did nothing else ends."""
_STAGE = regex(
    r"^(?!wandb: |=  |.*\b(?:retry\w*|again|warn\w*|attempt \d|ignored?|expected)\b)"
    r"(?:(?!\W{0,6}exit (?:status|code) ?[:=])"
    r".{0,200}\b(?:exit(?:ed)?|returned|failed|finished|ended|terminated|died)\b.{0,30}"
    r"(?:\b(?:code|status|rc|returncode)[ :=]{1,3}|\(exit[ :=]{1,2})-?(?!0\b|[345]\d\d\b)\d{1,3}\b"
    r"|.{1,120}\.{2,60} ?FAILED\b"
    r"|\W{0,8}(?:Errore|Erreur|Fehler|Erro|Ошибка|エラー|错误|오류)\s?[:：] ?\S.{4,300}$"
    r"|\W{0,8}\[FAILED\] .{1,100}\bfailed: \S.{4,300}$"
    r"|[^A-Za-z]{0,40}❌.{0,200}\[(?:Errno|WinError) \d{1,5}\] \S"
    r"|[^A-Za-z]{0,40}❌.{0,100}\b(?:fail(?:ed|ure)|error)\b(?!(?:/\w{1,20})?\W{1,4}0\b))",
    re.I,
)
_STATUS = regex(r"(?:code|status|exit)[ :=]{1,3}(?P<number>-?\d{1,3})\b", re.I)
_BY_SIGNAL = {
    "SIGINT": FailureClass.INFRASTRUCTURE, "SIGTERM": FailureClass.INFRASTRUCTURE, "SIGKILL": FailureClass.HOST_OOM,
}  # fmt: skip
"""What the signal that ended a process speaks for."""
_NOT_RUN = frozenset({"126", "127"})
"""A shell's statuses of a command that it must not run, or does not find."""
_GAVE_UP = regex(
    r"^(?!.*\b(?:retr(?:y|ies|ying)|again|continu\w*|fall\w*|skip\w*|default|warn\w*)\b)"
    r"(?:.{0,100}\b(?:server|service|vllm|sglang|endpoint|api|backend|database|daemon|container|broker)\b.{0,60}"
    r"\b(?:did(?: not|n't) (?:become|start|come|respond|get ready)|failed to (?:start|come up|respond|become)"
    r"|never (?:came|started|became|responded)|not (?:become )?(?:ready|healthy) (?:after|within|in)\b"
    r"|(?:start(?:up)?|launch|health.?check) (?:timed out|time-?out|failed))"
    r"|.{0,100}\b(?:timed out|time-?out|gave up|giving up) (?:while )?waiting\b"
    r"|.{0,100}(?:启动|等待).{0,12}(?:超时|失败).{0,12}(?:退出|终止|放弃|中止))",
    re.I,
)
_SAID = regex(r"^.{0,120}?(?:fail(?:ed|ure)|error)\b(?: \w{1,20}){0,3}[:：] {0,3}(?P<said>\S.{2,300})", re.I)
"""What a stage failed of, where the line says that too."""


OFTEN, LEAST_SHARE, TAIL, SUMMARY = 5, 0.25, 60, 15
"""So many complaints, and such a share of the last lines with words, are all that a program still says; lines of a
summary that may stand behind them."""
_COMPLAINT = regex(
    r"^\W{0,8}(?!(?:[Tt]rain|[Tt]est|[Vv]al|[Ee]val|[Dd]ev|[Mm]ean)\w{0,8} [Ee]rror\W{0,4}$)"
    r"(?:[A-Z][\w ]{0,30} )?(?:ERROR|Error|FAILED|Failed)\b"
    r"(?! (?:rate|count)|(?: \w{1,20}){0,3}\W{0,3}\b(?:0|[Nn]one)\b|\W{0,3}[-+]?\d{1,9}\.\d)[:( ]"
    r"|^(?:\S{0,80}/)?(?:cp|mv|rm|tar|cat|scp|rsync|wget|curl|python[\d.]{0,6}|bash|sh): .{1,300}$"
)


_TOOK = regex(r"(?i)^\W{0,8}(?:total|elapsed|overall|run|wall)[\w -]{0,20}time\b.{0,12}\d")


_ALL_DONE = regex(
    r"(?i)\b(?:all|every) (?:[\w-]{1,20} ){0,3}(?:done|completed?|finished|processed)\b"
    r"|所有\S{1,12}完成|全部\S{0,8}完成"
)
ITEM = regex(r"\W{0,8}(?P<done>\d{1,7}) ?/ ?(?P<total>\d{1,7})\] ")
"""One of so many, with which a line begins."""
_OF_TOTAL = regex(r"\W{0,8}(?:[A-Za-z]{2,20}[ :]{1,2}){0,2}\[?(\d{1,7}) ?/ ?(\d{1,7})\b(?![./])")
"""A count up to a total at the beginning of a line, `Progress: 120/240`."""
DISTINCT = 8
"""So many things that failed, numbers aside, are worked on one after the other."""
_DIGITS = regex(r"\d+")
ENDING = 3
"""Lines at the end of a file, of which one says that all was done, whatever failed of it."""


def complains(texts: Sequence[str]) -> int | None:
    """The index of the first of a program's complaints, where it says hardly anything else in its last lines: every
    item of its work fails. None where it says more."""
    if any("%|" in text or "it/s" in text for text in texts[-TAIL:]):
        return None  # a bar: what fails is passed over
    spoken = [n for n, text in enumerate(texts) if any(c.isalpha() for c in text)]
    if spoken and _TOOK.match(texts[spoken[-1]]):
        return None  # it came to its end, and measured how long that took
    if any(_ALL_DONE.search(texts[n]) for n in spoken[-ENDING:]):
        return None
    last = [n for n in spoken[-TAIL:] if _COMPLAINT.match(texts[n])]
    if not last or last[-1] < spoken[-SUMMARY:][0] or len(last) < max(OFTEN, LEAST_SHARE * min(len(spoken), TAIL)):
        return None
    if last == spoken[-TAIL:] and _are_of_many_things([texts[n] for n in last]):
        return None
    if _counts_on([texts[n] for n in spoken if n < last[-1]], [texts[n] for n in spoken if n > last[-1]]):
        return None
    return next(n for n in spoken if _COMPLAINT.match(texts[n]))


def _are_of_many_things(complaints: Sequence[str]) -> bool:
    """Whether complaints tell of nothing but what failed, one thing after the other: the work goes on."""
    return len({_DIGITS.sub("#", text) for text in complaints}) >= DISTINCT and not any(":" in t for t in complaints)


def _counts_on(above: Sequence[str], below: Sequence[str]) -> bool:
    """Whether what was counted above the last complaint counts on below it, up to the same total."""
    counts = [{(m[2], int(m[1])) for text in texts if (m := _OF_TOTAL.match(text))} for texts in (above, below)]
    before = {total: max(n for of, n in counts[0] if of == total) for total, _ in counts[0]}
    return any(before.get(total, done) < done <= int(total) for total, done in counts[1])


def next_begun(spoken: Sequence[str]) -> bool:
    """Whether the last line with words begins another item of those that are counted: what failed of the ones before
    did not end the work."""
    last = ITEM.match(spoken[-1]) if spoken else None
    if last is None:
        return False
    before = [int(m["done"]) for text in spoken[:-1] if (m := ITEM.match(text)) and m["total"] == last["total"]]
    return len({*before}) > 1 and max(before) < int(last["done"]) <= int(last["total"])


def class_in_words(said: str) -> FailureClass:
    """The class that the words of an error speak for; an error that says nothing special is the program's."""
    if _SERVED.search(said):
        return FailureClass.NETWORK
    cls = classify_line("RuntimeError", said).cls
    if cls not in (None, FailureClass.SOFTWARE):
        return cls
    if _NO_DATA.search(said):
        return FailureClass.DATA
    return FailureClass.CONFIG if _NOT_GIVEN.search(said) else FailureClass.SOFTWARE


def refused(text: str) -> FailureClass | None:
    """The class of a complaint that has no level; None where a line is no complaint."""
    return class_in_words(text) if _REFUSAL.match(text) else None


def stage_failed(text: str) -> FailureClass | None:
    """The class of the failure of a stage that its script tells of; None where a line tells of none."""
    if _GAVE_UP.match(text):
        return FailureClass.SOFTWARE
    if not _STAGE.match(text):
        return None
    status = _STATUS.search(text)
    if status is not None and (cls := _BY_SIGNAL.get(signal_of(int(status["number"])) or "")) is not None:
        return cls
    if status is not None and status["number"] in _NOT_RUN:
        return FailureClass.CONFIG
    said = _SAID.match(text)
    return class_in_words(said["said"]) if said else FailureClass.SOFTWARE

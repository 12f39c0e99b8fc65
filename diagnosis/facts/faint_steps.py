"""The last step where neither a counter nor a bar tells it: a few words at the end of a file do.

A round or an epoch that is named in a line of its own, what a trainer sums up when it is through, the number of a
checkpoint, a bar without a total, the one epoch that began or ended.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from math import ceil, floor

from logtui.parsers.regex import regex

LEAST = 3
"""Different numbers of one sentence that show that it counts."""
SHOWN = 80
"""Characters of a sentence by which it is known again."""
ELSE = regex(
    r"eval|valid|(?<!\d)test|load|map|download|token|generat(?!ions?\W{1,3}\d)|predict|process|captur|compil|autotun",
    re.I,
)
"""What tells of something else than training."""
SETTING = regex(
    r"(?:accumulation|warm-?up|max|total|save|log|logging|eval|num|every_n|interval|decay|delay|per|inner|print|display"
    r"|snapshot|report|summary|plot)[_-]"
    r"(?:train[_-])?(?:step|iter)|--\w"
    r"|\b[Bb]est (?:(?:hyper-?)?param|\w{1,12}\W[^|]{0,30}\bepoch)"
    r"|\b(?:remain(?:ing)?|decay|accumulation|total (?:optimi[sz]ation|train(?:ing)?))[ _](?:steps?|iter)",
    re.I,
)
"""What is set, and not reached."""
_NAMED = regex(
    r"(?i)(?<![a-z_/.-])"
    r"(?:epoch|(?:fit_)?round|(?:global[ _])?step|iter(?:ation)?|itr|update|episode|gen(?:eration)?)s?"
    r"[ :=#\[(]{1,3}(\d{1,9})(?![\d./%-]|:\d)"
)
_ROW = regex(
    r"(?:^|[\]:>|] {0,8}) {0,8}\d{1,6}/\d{1,6} {2,12}(\d{1,9})/\d{1,9}"
    r"(?: {1,12}-?\d[\d.]{0,12}(?:e[-+]?\d{1,3})?){2,12} {0,8}$"
)
"""`    7/57     120/165   0.0057   0.57`: the epoch and the step within it, of how many, and what came out."""
_BEGUN = regex(
    r"^[\W\d]{0,60}(?:(?i:info)[\W\d]{0,60}(?:[\w.]{1,40}[:\]] ?(?:- )?)?)?"
    r"(?:(?i:start(?:ing|ed)?|begin(?:ning)?|train(?:ing)?) (?i:epoch):?|Epoch)"
    r" #?\[?(\d{1,6})\b(?!\.\d|%)"
)
"""An epoch that begins, in a line of its own."""
_BEGINS = regex(r"(?i)\b(?:start(?:ing)?|begin(?:ning)?)\b")
"""What says that one begins counts only where nothing says that it is done."""
_ENTRY = regex(r"^\| {1,8}(?:[\w-]{1,20}/)?total_timesteps {1,40}\| {0,8}(\d{1,12}) {0,12}\|")
"""Stable-Baselines3's, in its table of two columns."""
_ABBREVIATED = regex(r"(?<![a-z])(?:(?:num|env|global|total)_)?(?:time)?steps?[:=] ?(\d{1,6}(?:\.\d{1,3})?)([KM])\b")
"""LeRobot's and Brax's, of a thousand steps or more."""
_FULL = regex(r"(?i)checkpoint\D{1,40}step {1,2}(\d{1,9})(?![\d.])")
_OF_LETTER = {"K": 1_000, "M": 1_000_000}
_ENDLESS = regex(
    r"(?:^|(?P<label>[^|]{1,40}?):? {1,4})(?P<step>\d{1,9})it \[\d[\d:]{3,11}, {0,3}(?!\d{4})\d[\d.]{0,9}(?:it/s|s/it)"
)
"""A bar that does not know its total; not of what is done a thousand times a second."""
_WITHIN = regex(r"(?i)\bepoch\W{0,4}\d{1,6}\W{1,8}(\d{1,9}) ?/ {0,6}\d{1,9}(?![\d.])")
"""How far an epoch is, where it stands behind its number."""
_PAIR = regex(r"\[ {0,4}\d{1,6}, {1,8}(\d{1,9})\][: ]{1,4}(?:train(?:ing)?[ _])?loss\b", re.I)
"""An epoch and how far it is, as PyTorch's tutorials print them."""
_ENDED = regex(
    r"(?i)(?<![a-z_-])(?:(?:epoch|round|iteration|episode|generation) #?(\d{1,7})(?:/\d{1,7})? "
    r"(?:is |was )?(?:complete[d]?|done|finished|ended)\b"
    r"|complete[d]? in (\d{1,9}) (?:epochs?|rounds?|iterations?|steps?|episodes?)\b"
    r"|after (\d{1,9}) (?:epochs?|rounds?|iterations?|steps?|episodes?)\b"
    r"|early stop\w{0,5}\W{1,4}(?:(?:at|in|after) )?epoch\W{1,3}(\d{1,7})\b(?!\.\d)"
    r"|(?<![\d.])(\d{1,7}) of \d{1,7} steps \(\d{1,3}%\) done\b)"
)
"""One that ended, in words."""
_EPOCH = regex(r"\{'(?:(?:eval_)?loss|train_runtime)': .{0,200}'epoch': '?(\d{1,6}(?:\.\d{1,6})?)")
"""Hugging Face's Trainer, where nothing tells its steps."""
_REACHED = regex(r"max_(?:epochs|steps)=(\d{1,9})\W{0,3} reached")
"""Lightning's Trainer, where it stops."""
_DIGITS = regex(r"\d+")
_SUMMED_UP = regex(r"'train_runtime': '?(\d{1,9}\.\d{1,6})\b.{1,120}?'train_steps_per_second': '?(\d{1,6}\.\d{1,6})\b")
"""Hugging Face's Trainer, at its end."""
_CHECKPOINT = regex(
    r"(?i)(?:checkpoint|ckpt|(?:global[_-]?)?step|iter|model|epoch|weights)[-_]?(\d{1,9})(?!\d|\.\d)"
    r"(?:\.(?:pt|pth|ckpt|bin|safetensors|tar|pkl|h5|hdf5|npz))?['\")/]{0,2}\.?\s*$|\bcheckpoints?/(\d{3,9})(?![\w.])"
)
"""Where a folder of one is named, at the end of a line."""


_RUNTIME = regex(r"train_runtime'? {0,30}[:=] {0,30}'?(?:(\d{1,4}):(\d{1,2}):)?(\d{1,9}(?:\.\d{1,6})?)")
_PACE = regex(r"train_steps_per_second'? {0,30}[:=] {0,30}'?(\d{1,6}(?:\.(\d{1,6}))?)")


def whole_plan(end: Iterable[str], total: int) -> bool:
    """Whether the time and the pace that Hugging Face's Trainer sums up at its end are those of all planned steps."""
    time = pace = None
    for text in end:
        time, pace = _RUNTIME.search(text) or time, _PACE.search(text) or pace
    if time is None or pace is None:
        return False
    seconds = 3600 * int(time[1] or 0) + 60 * int(time[2] or 0) + float(time[3])
    rounding = 0.5 / 10.0 ** len(pace[2] or "")
    return seconds * (float(pace[1]) - rounding) <= total <= (seconds + 1) * (float(pace[1]) + rounding)


def faint_step(end: Sequence[str]) -> int | None:
    """The last step that the lines at the end of a file let guess; None where they do not."""
    found = (read(end) for read in _READERS)
    return next((step for step in found if step is not None), None)


_ROUNDS = regex(r"\bRun finished (\d{1,9}) round\(s\)")
"""Flower's server, at its end; its clients count epochs of each round."""


def rounds(end: Iterable[str]) -> int | None:
    """The rounds that a federation's server says it made."""
    last = _last(m for text in end if (m := _ROUNDS.search(text)))
    return int(last[1]) if last else None


def abbreviated(end: Iterable[str]) -> int | None:
    """The last step of a trainer that gives it in thousands: as a line behind names it in full, or else so."""
    last, full = None, 0
    for text in end:
        if m := _ABBREVIATED.search(text):
            last, full = round(float(m[1]) * _OF_LETTER[m[2]]), 0
        elif last is not None and (m := _FULL.search(text)) and abs(int(m[1]) - last) < last:
            full = int(m[1])
    return full or last


def entry(end: Iterable[str]) -> int | None:
    """The last entry of a table of two columns that counts steps."""
    last = _last(m for text in end if (m := _ENTRY.match(text)))
    return int(last[1]) if last else None


_TOTALS = regex(r"^num_steps: {1,12}(\d{1,9})$")
_TOOK = regex(r"^(?:training|total)_seconds: {1,12}\d")


def totals(end: Iterable[str]) -> int | None:
    """The steps that a short run sums up at its end, beside the seconds it took: autoresearch and its kin."""
    texts = [text.strip() for text in end]
    last = _last(m for text in texts if (m := _TOTALS.match(text)))
    return int(last[1]) if last and any(map(_TOOK.match, texts)) else None


_AVERAGED = regex(r"\bglobal_step = (\d{1,9}), average loss = ")
_KERAS_EPOCH = regex(r"^\s{0,8}Epoch (\d{1,6})/\d{1,6}\s*$")
_KERAS_BAR = regex(r"^\s{0,8}\d{1,9}/\d{1,9} (?:\[[=>.]{8,80}\]|━{8,80})")


def averaged(end: Iterable[str]) -> int | None:
    """The steps that Hugging Face's older scripts say they made."""
    last = _last(m for text in end if (m := _AVERAGED.search(text)))
    return int(last[1]) if last else None


def fitted(end: Iterable[str]) -> int | None:
    """The last of several epochs that Keras fits: its bars count batches or samples of one, or those of a test."""
    epochs, bars = list[int](), 0
    for text in end:
        if m := _KERAS_EPOCH.match(text):
            epochs.append(int(m[1]))
        bars += bool(epochs) and _KERAS_BAR.match(text) is not None
    return epochs[-1] if len(epochs) > 1 and bars else None


_TRIALS = regex(r"^[|│] Trial name\b[^\n]{0,300}[| ]\s{0,8}iter\s{0,8}(?:[|│]|  )")
_TRIAL = regex(r"^[|│] \S{1,120} {1,40}\|? ?(?:RUNNING|TERMINATED|PAUSED|PENDING|ERROR)\b")
"""Ray Tune's table of trials: its head, and a row."""


def _cells(text: str) -> list[str]:
    """Of a row between bars, or between blanks in a frame, as Ray draws it since 2.6."""
    return [cell.strip() for cell in (text.split("|") if text[0] == "|" else re.split(r" {2,}", text.strip("│ ")))]


def trials(end: Iterable[str]) -> int | None:
    """The iteration of the trial that is the farthest in Ray Tune's last table."""
    at, found = None, list[int]()
    for text in end:
        if _TRIALS.match(text):
            at, found = _cells(text).index("iter"), []
        elif at is not None and _TRIAL.match(text):
            cells = _cells(text)
            found += [int(cells[at])] if len(cells) > at and cells[at].isdecimal() else []
    return max(found, default=None)


def reached(end: Iterable[str]) -> int | None:
    """What a trainer says it was to reach, and has reached."""
    last = _last(m for text in end if (m := _REACHED.search(text)))
    return int(last[1]) if last else None


def _named(end: Iterable[str]) -> int | None:
    """The last number of a sentence in which one grows, behind the name of a step; of several of the last one."""
    sentences: defaultdict[str, list[int]] = defaultdict(list)
    for text in end:
        if (m := _NAMED.search(text)) and not ELSE.search(text) and not SETTING.search(text):
            sentence = _DIGITS.sub("0", text)[:SHOWN]
            sentences[sentence] = [*sentences.pop(sentence, []), int(m[1])]
    grown = [(said, numbers[-1]) for said, numbers in sentences.items() if _grows(numbers)]
    done = [number for said, number in grown if not _BEGINS.search(said)]
    told = done or [number for _, number in grown]
    return told[-1] if told else None


def _grows(numbers: Sequence[int]) -> bool:
    return len(set(numbers)) >= LEAST and list(numbers[-LEAST:]) == sorted(numbers[-LEAST:])


def summed_up(end: Iterable[str]) -> int | None:
    """The steps that a trainer's seconds and steps a second come to, where their rounding leaves one number only."""
    last = _last(m for text in end if (m := _SUMMED_UP.search(text)))
    if last is None:
        return None
    seconds, pace, digits = float(last[1]), float(last[2]), len(last[2].partition(".")[2])
    low, high = (seconds * (pace + half * 10**-digits) for half in (-0.5, 0.5))
    return floor(high) if floor(high) == ceil(low) else None


def _of_checkpoint(end: Iterable[str]) -> int | None:
    """The highest number of the checkpoints that are named."""
    named = (int(m[1] or m[2]) for text in end if (m := _CHECKPOINT.search(text)) and not ELSE.search(text))
    return max(named, default=None)


def _endless(end: Iterable[str]) -> int | None:
    """The last state of a bar without a total that no other work names."""
    states = (bar for text in end if "it [" in text and (bar := _ENDLESS.search(text)))
    last = _last(bar for bar in states if not ELSE.search(bar["label"] or ""))
    return int(last["step"]) if last else None


def _within(end: Iterable[str]) -> int | None:
    """How far the last epoch is, where it goes on from line to line."""
    told = [int(m[1]) for text in end if (m := _WITHIN.search(text)) and not ELSE.search(text)]
    return told[-1] if len(told) > 1 and told[-1] > told[-2] else None


def _pair(end: Iterable[str]) -> int | None:
    """How far the last epoch is, where both stand in brackets before a loss."""
    last = _last(m for text in end if (m := _PAIR.search(text)))
    return int(last[1]) if last else None


def _of_row(end: Iterable[str]) -> int | None:
    """How far the last epoch is, where both begin a row of figures without names."""
    last = _last(m for text in end if (m := _ROW.search(text)))
    return int(last[1]) if last else None


def _ended(end: Iterable[str]) -> int | None:
    """The last epoch, round or step that a line says ended."""
    last = _last(m for text in end if (m := _ENDED.search(text)) and not SETTING.search(text))
    return int(last[last.lastindex or 0]) if last else None


def _epoch(end: Iterable[str]) -> int | None:
    """The last epoch of a trainer that prints it beside each loss; None in the first one, of which it tells no step."""
    last = _last(m for text in end if (m := _EPOCH.search(text)))
    return (int(float(last[1])) or None) if last else None


def _begun(end: Iterable[str]) -> int | None:
    """The last epoch that began, where not even a few of them are told."""
    last = _last(m for text in end if (m := _BEGUN.match(text)) and not ELSE.search(text))
    return int(last[1]) if last else None


def _last(found: Iterable[re.Match[str]]) -> re.Match[str] | None:
    return next(iter(deque(found, maxlen=1)), None)


_READERS = (reached, _pair, _of_row, _named, summed_up, _of_checkpoint, _endless, _within, _ended, _begun, _epoch)
"""The surest first."""

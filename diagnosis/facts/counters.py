"""Counters that a program's own lines tell: one sentence again and again, whose number grows beside a total or a loss.

Nothing here knows a trainer. The lines of a file are put together by what stays of them without their numbers; of each
such sentence the number that grows is its counter, if a word or a total says that it counts training. How long a step
took is read from the same sentence, where a unit or a word says so.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from logtui.diagnosis.facts.alike_lines import Columns, Floats, Kind, kinds_of
from logtui.diagnosis.facts.shown_lines import may_count, shown
from logtui.diagnosis.facts.step_words import EPOCH_ABROAD, LEARNT_ABROAD, STEP_ABROAD, counts_nothing
from logtui.diagnosis.facts.tables import Table, Tables, may_be_of_table, may_head
from logtui.parsers.regex import regex

LEAST = 4
"""Different values that show that a counter grows."""
DROPS = 0.25
"""Of the changes of a counter at most so many lead back: it begins anew with every epoch."""
OFTEN = 0.6
"""Where a number goes on at more than so many lines, each line has an epoch of its own."""
LARGEST = 1_000_000_000
WIDTH, READ = 160, 400
"""Characters of a sentence by which it is known again, and in which its numbers are read."""
LATE = 10
"""Of two counters that are as sure the one counts that goes on for a tenth of the lines longer."""
BARE, EVEN = 2, 0.9
"""How surely a number without a name counts, and of its changes so many are alike."""
MANY = 8
"""Lines from which an even number with a name that nobody knows counts, if it hardly ever falls."""
MOST_WRITERS = 4096
LABEL = 60
"""Characters before a counter in which it is said what it counts."""
_GLUED_NAMES = (
    "|".join(rf"(?<=[^\w/.]{name})|(?<=^{name})" for name in ("step", "epoch", "iter", "ep", "it", "s"))
    + r"|(?<=epoch\.)|(?<=^e)"
)
"""Behind which a number may stand without a break: `----step57----`, `E05 TL:0.31`."""
_NUMBER = regex(
    r"(?<![A-Za-z_.])(?:\d+(?:[.,:]\d+)*(?:e[-+]?\d+)?(?!\d)|(?:nan|inf)\b)"
    rf"|(?=\d)(?:{_GLUED_NAMES})\d+(?![\w.])",
    re.I,
)
"""What stands in a number's place is one: a sentence stays the same when its loss overflows."""
_PADDED = regex(r"(?<=[\[(/:=#|]) #")
"""A number that is padded to the width of a larger one: the same sentence."""
_SIGN = regex(r"(?<=[ =:(\[])[-+](?=#)")
"""Of a figure that may be below nothing: the same sentence."""
_BAR = regex(r"[|][^|\w]{0,200}[|]|[━╸╺█▏▎▍▌▋▊▉─]+|(?<=\[)[=>#.-]{9,200}(?=\])")
_TRAINS = regex(
    r"loss|\blr\b|learning.rate|\beta\b|it/s|s/it|(?<![a-z])steps?\b|\biter|\bepoch|\bbatch|\bupdates?\b|train|\bppl\b|\bacc|kimg"
    rf"|\b[tv]l:|{LEARNT_ABROAD}|{STEP_ABROAD}|{EPOCH_ABROAD}",
    re.I,
)
_OTHER = regex(
    r"map|download|load|tokeni|generat|sav|shard|filter|eval|valid|test|process|pack|fetch|infer|sampl(?!es_count)|prun|quanti|calib"
    r"|captur|compil|autotun|retr|attempt|retry|rank|node|gpu|worker|layer|param|wait|skip"
    r"|加载|下载|验证|测试|评估|推理|処理|处理|検証|テスト|評価|검증|평가"
    r"|warm[- _]?up[- _](?:step|iter)|\bdata(?:set)?\W{1,4}$|patien"
    r"|best[-_ ](?:epoch|step|iter|round)\w{0,6}\W{1,4}$|(?<![a-z])folds?\W{0,4}$"
    r"|total (?:optimi[sz]ation|training|train) steps|(?:counter|solved|success\w{0,4}|wins?)\W{1,4}$",
    re.I,
)
"""What counts something else than training."""
_WRITER = regex(
    r"^\W{0,12}(?:(?:[\w-]{1,30}\.)?(?:gpu|worker|process|proc|node|task|host)[ _:=#-]{0,2}\d{0,5}"
    r"(?:\]:?|[:|)>]{1,2})|rank[ _:=#-]{0,2}\d{0,5}(?:\]:?|(?= {1,4}\w))) ",
    re.I,
)
"""Who writes, before what it counts."""
_WHO = regex(r"(?:gpu|rank|worker|process|proc|node|task|host|pid|client)[ _:=#-]{0,2}$", re.I)
"""Whose number follows."""
_LEVEL = regex(r"\b(?:INFO|DEBUG)\b[\]: -]{1,4}(?:[\w.]{1,40}:(?=\S))?")
"""Behind a record's level, and its logger, begins what it says."""
_SOURCE = regex(r"\b\w{1,60}\.(?:py|cc)\b")
BEGINS = regex(r"\b(?:starts?|started|begins?|begun)\W{0,4}$", re.I)
"""How a sentence ends that tells of what is still to be done."""
_OF_RIGHT = regex(r"(?:acc(?:uracy)?|correct|score|precision|recall)\W{0,4}$", re.I)
"""Before how many of all were right."""
_LOSS = regex(r"loss|损失|損失|손실")
_MEASURED = regex(r"eval|valid|test|验证|測試|测试|検証|검증")
"""Whose loss is none of training."""
_STEP_KEY = regex(
    r"(?:^|[^a-z])(?:global.)?(?:steps?|iter(?:ation)?s?|it|(?:mini.?)?batch(?:es)?|(?:num.)?upd(?:ate)?s?)"
    r"(?:_(?:id|idx|index|num|count)| (?:n|no|num(?:ber)?)\b)?\W{0,4}$"
    rf"|(?:^|[^\w/.])s$|(?:{STEP_ABROAD})\W{{0,4}}$",
    re.I,
)
_GLOBAL_KEY = regex(r"global[ _.]?(?:step|iter)\w{0,6}\W{0,4}$", re.I)
"""Where it stands beside the step of an epoch."""
_STEP_BEHIND = regex(r" (?:steps?|iter(?:ation)?s?|updates?)(?!\w|[ ./]*s(?:ec)?\b)| ?步(?!数)", re.I)
"""A name that stands behind its number."""
_OF_NEXT = regex(r" [A-Za-z_]+[ =:#]+")
"""A name that stands before the next number: `ep 5 step 570`."""
_ENDLESS = regex(r"it \[")
"""Behind the number of a bar that knows no total."""
_LETTERS = regex(r"(?!\b(?:INFO|DEBUG|root|__main__|train(?:er|ing)?)\b)\b[A-Za-z_]{2}")
_TRAINED = regex(r"loss|损失|損失|손실|\btrl\b|\blr\b|(?<![/\w.])train(?![/\w.])|\btraining's |\blearn: ", re.I)
_CLOSES = regex(r"\s*[\]):|,>-]|\t|\s+(?:[\w/]*loss|trl\b|train )", re.I)
"""What may stand behind a number without a name: no unit, and nothing that it is the number of."""
_EPOCH_KEY = regex(
    r"(?:(?:epoch|samples_count|\btick|(?<![a-z])(?:round|episode|generation|ep))s?|^e(?=$)"
    rf"|{EPOCH_ABROAD})\W{{0,4}}$",
    re.I,
)
_LISTED = regex(r"\bstep[\"']: \[$")
"""Before the epoch, where a list says epoch and step."""
_NAMES_FIRST = regex(r"[A-Za-z_][\w .]{0,30}(?:, ?[A-Za-z_][\w .]{0,30}){1,8} ?[:=] ?$")
_SEPARATES = regex(r",? |,")
_QUOTED = regex(r"[\"'] ?[:=]\W{0,4}$")
_OTHER_KEYS = regex(r"[\"'](?:(?!eval|valid|test)[\w./ -]){1,40}[\"']: (?!\W{0,4}$)")
"""Names of other values that stand before one with a name of its own."""
_OF_DATES = frozenset({("/", "/"), ("-", "-")})
"""What stands between the numbers of a date."""
_TOTAL = regex(r"k?(?:it)? ?(?:/|of|out of) ?")
_STRETCH = regex(r"\]|k?(?:it)? ?(?:/|of|out of) ?$")
"""What stands behind the end of a stretch of steps."""
_THOUSANDS = regex(r"k(?:it|/|\b)")
_RATE = regex(r" ?(?:it|iter(?:ation)?s?|steps?|batch(?:es)?)/s(?:ec)?\b")
_TIME_KEY = regex(r"(?:timer?|took|takes|\bdt|duration|elapsed)(?: ?\(m?s\)| in m?s| per \w+)?\W{0,4}$", re.I)
_SOME_NAME = regex(r"(?<![A-Za-z_./-])[A-Za-z]\w{0,20} ?[ :=#] ?$")
_FIGURE_NAME = regex(r"[A-Za-z)|*] ?[=:] {0,8}[+-]?$|[ |,][A-Za-z][\w/]{0,20} $")
FIGURES = 2
_OF_WHOM = regex(
    r"eval|valid|test|infer|time|took|sec|min\b|hour|mem|toke?n|lr|loss|acc|client|fold|seed|trial|task|subject|model|expert"
    r"|agent|head|class|image|video|file|page|layer|rank|node|gpu|worker|param|size|num|total|max|best|id\b|port|thread|dim"
    r"|eta|step|batch|iter|epoch|update",
    re.I,
)
"""Names of what is measured, or of whom a loss is."""
_RULED = regex(r" ?[-|,:] ?")
_PACE = regex(r"\w/s(?:ec)?\b")
_LEARNS = regex(r"loss|\blr\b|\bppl\b", re.I)
_UNIT = regex(r" ?(?P<unit>ms|s|secs?|seconds?)(?:/(?:it|iter|step|batch))?(?![\w/]| ?[=:])")
_NO_STEP_TIME = regex(r"eta|remain|left|total|data|load|avg_|since|\bfor\b|\bm $", re.I)

Numbered = tuple[int, bytes]
"""A line's number and its bytes."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A sentence that counts training: in the order of the file, values and the lines that say them."""

    worth: int
    """How surely it counts steps of training; the highest is taken."""
    loss: bool
    """Whether a loss stands beside it."""
    lines: npt.NDArray[np.int64]
    steps: Floats
    ms: Floats
    """Milliseconds of a step; NaN where they are not said."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """What stays of a line without its numbers: the words before, between and behind them."""

    words: tuple[str, ...]

    @property
    def tells_loss(self) -> bool:
        """Whether a loss of training is among the words."""
        return any(_LOSS.search(word) and not _MEASURED.search(word) for word in map(str.lower, self.words))

    def counts(self, at: int, totalled: bool) -> int:
        """How surely the number at a place counts steps of training; 0 where it does not."""
        before, label = self.words[at], self._label(at)
        if (
            _OTHER.search(label)
            or _OF_RIGHT.search(before[-LABEL:])
            or self.words[at + 1].startswith("%")
            or counts_nothing(label, before[-LABEL:], self.words[at + 1])
            or before.endswith("% (")  # so many of so many, behind their share
        ):
            return 0
        if self._of_date(at):
            return 0
        if before.endswith("(") and self.words[at + 1].startswith(","):  # a setting of several numbers
            return 0
        if self._of_samples(at):
            return 0
        if self.words[at + 1] == "-" and _STRETCH.match("".join(self.words[at + 2 : at + 3])):  # its first
            return 0
        if _ENDLESS.match(self.words[at + 1]):
            return 3 if self.tells_loss or _TRAINS.search(label) else 0
        trains = _TRAINS.search(" ".join(self.words))
        key = self._key(at)
        behind = self.words[at + 1]
        keyed = _STEP_KEY.search(key) or (_STEP_BEHIND.match(behind) and not _OF_NEXT.fullmatch(behind))
        if trains and at and self.words[at] == ", " and _LISTED.search(self.words[at - 1]):
            return 4
        if not trains and not (totalled and (keyed or _EPOCH_KEY.search(key))):
            return 0
        if keyed:
            return 4 if totalled else 3
        if _EPOCH_KEY.search(key):
            return 1
        return 2 if totalled else 0

    def _of_date(self, at: int) -> bool:
        words = self.words
        return not _OF_DATES.isdisjoint((words[at + 1 : at + 3], words[at : at + 2], words[max(at - 1, 0) : at + 1]))

    def _of_samples(self, at: int) -> bool:
        """Whether a number is that of an epoch's samples: its total and its share follow, `10 [58880/60000 (98%)]`."""
        behind = self.words[at + 1 : at + 4]
        shared = behind[:2] == ("/", " (") and behind[2:] != () and behind[2].startswith("%")
        return shared and at > 0 and bool(_EPOCH_KEY.search(self.words[at - 1]))

    def is_global(self, at: int) -> bool:
        """Whether a number is called the step of the whole run."""
        return bool(_GLOBAL_KEY.search(self._key(at)))

    def _key(self, at: int) -> str:
        """What stands before a number; its name where several stand before their values: `step, loss: 5, 0.1`."""
        first = next((n for n in range(at, 0, -1) if not _SEPARATES.fullmatch(self.words[n])), 0)
        if at and self.words[at] == "-":
            return self._key(at - 1)
        told = _NAMES_FIRST.search(self.words[first])
        names = told[0].split(",") if told else []
        values = self.words[first + 1 : first + len(names)]
        if not at - first < len(names) == len(values) + 1 or not all(map(_SEPARATES.fullmatch, values)):
            return self.words[at]
        return names[at - first].rstrip(" :=")

    def _label(self, at: int) -> str:
        """What is said before a number of what it counts."""
        before = _WRITER.sub("", _LEVEL.split("".join(self.words[: at + 1]))[-1])
        return (_OTHER_KEYS.sub("", before) if _QUOTED.search(before) else before)[-LABEL:]

    def paces(self, at: int) -> bool:
        """Whether a number without a name stands between bars or dashes, before a pace and what is learnt at it."""
        behind = "".join(self.words[at + 1 :])
        return bool(
            _RULED.fullmatch(self.words[at][-3:])
            and _RULED.fullmatch(self.words[at + 1][:3])
            and _PACE.search(behind)
            and _LEARNS.search(behind)
        )

    def heads(self, at: int) -> bool:
        """Whether a number without a name stands at the beginning, if need be behind another, and a loss follows."""
        before, behind = _SOURCE.sub("", "".join(self.words[: at + 1])), "".join(self.words[at + 1 :])
        return (
            not self._of_date(at)
            and not _LETTERS.search(before)
            and bool(_CLOSES.match(behind))
            and bool(_TRAINED.search(behind))
        )

    def leads(self, at: int) -> bool:
        """Whether a number is the first with a name on a line of a loss, whatever its name is: `sample 30, loss`."""
        name = _SOME_NAME.search(self.words[at])
        if (
            name is None
            or counts_nothing(self._label(at), "", "")
            or (_OF_WHOM.search(name[0]) if self.tells_loss else not self._measures(at))
        ):
            return False
        named = [word for word in self.words[:at] if _SOME_NAME.search(word) and not _WHO.search(word)]
        return not named and not _OTHER.search(self._label(at)[: -len(name[0])])

    def _measures(self, at: int) -> bool:
        """Whether a step is counted beside several figures with names of their own: `it 2000  t= 0.1  max|u|=0.08`."""
        named = sum(map(bool, map(_FIGURE_NAME.search, self.words[at + 1 : -1])))
        return _STEP_KEY.search(self._key(at)) is not None and named >= FIGURES

    def unit_ms(self, at: int) -> float:
        """Milliseconds in the unit of the number at a place, if it is the time of a step; negative for steps in a
        second, 0 where it is neither. A bar's own pace is smoothed and says nothing of single steps."""
        before, behind = self.words[at][-24:], self.words[at + 1]
        if _RATE.match(behind) and "<" not in self.words[at] and ", " not in self.words[at][-2:]:
            return -1000.0
        unit = _UNIT.match(behind)
        if _NO_STEP_TIME.search(before) or not (unit or _TIME_KEY.search(before)) or "[" in before[-3:]:
            return 0.0
        return 1.0 if (unit and unit["unit"] == "ms") or re.search(r"\bms\b", before) else 1000.0


def read_counter(lines: Iterable[Numbered], text_of: Callable[[bytes], str] = bytes.decode) -> Counter | None:
    """The sentence that most surely counts training; None where there is none. O(lines).

    `text_of` gives a line's text, and may tell digits apart no more than `clean` does.
    """
    read = _Lines([*lines], text_of)
    found = [c for said in read.sentences() if sum(map(len, said)) >= LEAST and (c := _counter(said)) is not None]
    found += [c for table in read.tables() if len(table.rows) >= LEAST and (c := _of_table(table)) is not None]
    latest = max((c.lines[-1] for c in found), default=0)
    return max(found, key=lambda c: (c.worth, c.loss, -(-c.lines[-1] * LATE // latest), len(c.steps)), default=None)


class _Lines:
    """Lines of a file. What is asked of a line is asked once of those that differ from it in digits alone."""

    def __init__(self, lines: Sequence[Numbered], text_of: Callable[[bytes], str]) -> None:
        self.numbers = np.array([number for number, _ in lines], np.int64)
        self.raws = [raw for _, raw in lines]
        self._text_of = text_of
        self._kinds = kinds_of(self.raws)

    def sentences(self) -> Iterable[list[_Part]]:
        """The parts of lines that may count, put together by the sentence that they say."""
        told: dict[str, list[_Part]] = defaultdict(list)
        for kind in self._kinds:
            for nth, piece in enumerate(self.pieces(kind.sample)):
                told[_PADDED.sub("#", _SIGN.sub("", _NUMBER.sub("#", piece)[:WIDTH]))].append(
                    _Part(self, kind, nth, piece)
                )
        return told.values()

    def tables(self) -> list[Table]:
        """The tables among the lines."""
        tables, texts = Tables(), [self._text_of(kind.sample) for kind in self._kinds]
        if any(map(may_head, texts)):
            kinds = (kind for kind, text in zip(self._kinds, texts, strict=True) if may_be_of_table(text))
            for at in sorted(at for kind in kinds for at in kind.at):
                tables.take(int(self.numbers[at]), self._text_of(self.raws[at]))
        return tables.found

    def pieces(self, raw: bytes) -> list[str]:
        """The parts of a line that may count."""
        text = self._text_of(raw)
        of_bytes = "us/step" in text and "━" in text  # Keras 3's download: no step takes microseconds
        pieces = shown(text) if may_count(text) and not of_bytes else ()
        return [" ".join(_BAR.sub("|", piece).split())[:READ] for piece in pieces]


class _Part:
    """One part of all lines of a kind."""

    def __init__(self, lines: _Lines, kind: Kind, nth: int, shown: str) -> None:
        self._lines, self._kind, self.nth = lines, kind, nth
        self.words = tuple(_NUMBER.split(shown))
        self.spans = [m.span() for m in _NUMBER.finditer(shown)]
        self.at = np.array(kind.at)
        self.numbers = lines.numbers[self.at]

    def __len__(self) -> int:
        return len(self.at)

    def column(self, place: int) -> Floats:
        """The numbers at a place in all lines."""
        return self._columns.read(*self.spans[place])

    @cached_property
    def _columns(self) -> Columns:
        return Columns(self._kind, self._lines.raws, self._lines.pieces, self.nth)


class _Numbers:
    """The columns of numbers of all lines that say a sentence, in the order of the file. Each is read when it is first
    asked: most sentences are known by their words to count nothing."""

    def __init__(self, words: Sequence[str], parts: Sequence[_Part]) -> None:
        self._parts = parts
        nth = np.repeat([part.nth for part in parts], [len(part) for part in parts])
        self._order = np.lexsort((nth, np.concatenate([part.at for part in parts])))
        self.lines = np.concatenate([part.numbers for part in parts])[self._order]
        self._width = min(len(words) - 1, *(len(part.spans) for part in parts))
        self._words = words
        self._known: dict[int, Floats] = {}

    def __len__(self) -> int:
        return self._width

    def __getitem__(self, at: int) -> Floats:
        if at not in self._known:
            values = np.concatenate([part.column(at) for part in self._parts])
            self._known[at] = values[self._order] * (1000.0 if _THOUSANDS.match(self._words[at + 1]) else 1.0)
        return self._known[at]

    def of_one_writer(self) -> _Numbers | None:
        """The lines of the rank that says the sentence most often, where it names several: each counts for itself."""
        named = next((at for at in range(len(self)) if _WHO.search(self._words[at])), None)
        if named is None or not np.isfinite(self[named]).all():
            return None
        ranks, times = np.unique(self[named], return_counts=True)
        if not 1 < len(ranks) <= MOST_WRITERS or times.max() < LEAST:
            return None
        mine, his = copy(self), self[named] == ranks[times.argmax()]
        mine._order, mine.lines, mine._known = self._order[his], self.lines[his], {}
        return mine


def _of_table(table: Table) -> Counter | None:
    steps = np.array([step for _, step in table.rows])
    if not _grows([steps], 0):
        return None
    lines = np.array([line for line, _ in table.rows], np.int64)
    return Counter(3 if table.counts_steps else 1, table.loss, lines, steps, np.full(len(steps), np.nan))


def _counter(said: Sequence[_Part]) -> Counter | None:
    sentence = _Sentence(said[0].words)
    numbers = _Numbers(sentence.words, said)
    found = _best(sentence, numbers)
    if found is None and (alone := numbers.of_one_writer()) is not None:
        found = _best(sentence, alone)
    return found


def _best(sentence: _Sentence, numbers: _Numbers) -> Counter | None:
    """The number of a sentence that most surely counts."""
    worths = {n: _worth(sentence, numbers, n) for n in range(len(numbers)) if _may_count_at(sentence, numbers, n)}
    ranked = [(sentence.is_global(n) and bool(worth), worth, -n) for n, worth in worths.items()]
    _, worth, place = max(ranked, default=(False, 0, 0))
    if not worth:
        return None
    most = max(worths.values())
    most -= BEGINS.search(sentence.words[-1]) is not None  # what says that it is done counts before it
    return Counter(most, sentence.tells_loss, numbers.lines, numbers[-place], _step_ms(sentence, numbers, -place))


def _may_count_at(sentence: _Sentence, columns: _Numbers, at: int) -> bool:
    """Whether the number at a place may count, by the words, and grows."""
    said = sentence.counts(at, totalled=True) or sentence.paces(at) or sentence.heads(at) or sentence.leads(at)
    return bool(said) and _grows(columns, at)


def _worth(sentence: _Sentence, columns: _Numbers | Sequence[Floats], at: int) -> int:
    """How surely the number at a place, which grows, counts steps of training."""
    said = sentence.counts(at, _has_total(sentence, columns, at))
    bare = sentence.paces(at) or (sentence.heads(at) and not _counted_later(sentence, columns, at))
    led = sentence.leads(at) and len(columns[at]) >= MANY and (np.diff(columns[at]) >= 0).mean() >= EVEN
    return said or (BARE if bare and _even(columns[at]) else int(led and _even(columns[at])))


def _counted_later(sentence: _Sentence, columns: _Numbers | Sequence[Floats], at: int) -> bool:
    """Whether a number behind one without a name counts, which is an epoch then."""
    return any(
        _grows(columns, n) and (sentence.heads(n) or sentence.counts(n, _has_total(sentence, columns, n)))
        for n in range(at + 1, len(columns))
    )


def _even(values: Floats) -> bool:
    """Whether a number grows by the same from line to line, but for some."""
    moved = np.diff(values)
    moved = moved[moved > 0]
    return bool(len(moved)) and float((moved == np.median(moved)).mean()) >= EVEN


def _grows(columns: _Numbers | Sequence[Floats], at: int) -> bool:
    """Whether whole numbers grow from line to line, but for where an epoch begins anew: one that stands before them
    and goes on by one there accounts for it."""
    values = columns[at]
    if not np.isfinite(values).all() or (values != np.floor(values)).any() or values.max() > LARGEST:
        return False
    change = np.diff(values)
    told = back = change < 0
    if back.any():
        told = back & np.logical_or.reduce([back & False, *(_goes_on(columns[n]) for n in range(at))], axis=0)
        told &= not any(_of_each_line(columns[n]) for n in range(at))
    different = len(np.unique(values[:4096]))
    enough = different > 1 and different + int(told.sum()) >= LEAST
    return enough and int((back & ~told).sum()) <= DROPS * int(np.count_nonzero(change))


def _goes_on(values: Floats) -> npt.NDArray[np.bool_]:
    """Where a number that never falls goes on by one."""
    change = np.diff(values) if np.isfinite(values).all() else np.full(len(values) - 1, -1.0)
    return np.asarray(change == 1) if (change >= 0).all() else np.zeros(len(change), np.bool_)


def _of_each_line(values: Floats) -> bool:
    """Whether a number that never falls goes on at most lines."""
    change = np.diff(values) if np.isfinite(values).all() else np.full(1, -1.0)
    return bool((change >= 0).all()) and int(np.count_nonzero(change)) > OFTEN * len(change)


def _has_total(sentence: _Sentence, columns: _Numbers | Sequence[Floats], at: int) -> bool:
    """Whether a number that stays stands behind `/` or `of`, and none exceeds it."""
    if at + 1 >= len(columns) or not _TOTAL.fullmatch(sentence.words[at + 1]):
        return False
    total = columns[at + 1]
    return bool(np.isfinite(total).all() and len(np.unique(total)) <= 2 and (columns[at] <= total).all())


def _step_ms(sentence: _Sentence, columns: _Numbers | Sequence[Floats], counter: int) -> Floats:
    """The first number that is the time of a step: not one that only grows, as what has passed does."""
    timed = ((at, unit) for at in range(len(columns)) if at != counter and (unit := sentence.unit_ms(at)))
    for at, unit in timed:
        values = columns[at]
        known = values[np.isfinite(values)]
        passed = len(np.unique(known)) >= LEAST and bool((np.diff(known) >= 0).all())
        if len(known) >= LEAST and (known > 0).all() and not passed:
            return values * unit if unit > 0 else -unit / values
    return np.full(len(columns[counter]), np.nan)

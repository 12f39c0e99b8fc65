"""Runs appended to one file by a logger: the very first line stands there again, at a later time.

What a program says first it says once for each run. A function that is called for each epoch or data set may say such a
line too; so either the counter of steps must be behind where it was at one of those places, or what follows the first
line at the file's start must follow it there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from logtui.diagnosis.facts.counted_anew import around, counts_anew, row_behind, step
from logtui.diagnosis.facts.opening_blocks import FAILED
from logtui.diagnosis.facts.openings import COMMAND, STARTERS
from logtui.diagnosis.facts.pauses import LOADED_S, uneven
from logtui.diagnosis.facts.stamped import GOES_ON, LONGEST, NUMBER, OF_LIBRARY, before, line, parted
from logtui.parsers.files.case import Case

AT_ONCE_S, SEVERAL_AT_ONCE_S = 10.0, 60.0
"""Processes of one start say their first lines no further apart; where several do."""
KEY, LEAST_KEY, BEFORE_QUOTE = 24, 5, 12
"""Characters by which a first line is known, up to what is quoted or set; the least; and those that must stand before
that."""
MOST_TIMES = 1024
"""A line that comes more often is no program's first."""
SAYS_SO = 40
"""Characters with which a line begins that tells of progress; what is set may be named so too."""
FOLLOWING, ALIKE, BEHIND = 3, 2, 4096
"""Lines with a stamp behind a first line that are compared; the least; bytes in which they stand."""
REST_S, SHORT_REST_S, FEW = 120.0, 30.0, 6
"""What a pause lasts in which somebody starts another run, at least; the same where the line says that something
starts; so few runs are known by one line behind it."""
LONG_S = 3600.0
"""Behind such a silence a first line that is mostly said without any pause is another run's."""
MOSTLY = 0.9
"""The share of places before which so much must have passed as it takes to load a program."""
_CAME_OUT = re.compile(rb"(?i)\b(?:finish|done\b|complete|saved?\b|wrote\b|result|accura|loss\b|score)")
"""What is said of work that was done: a loop evaluates one model after the other."""
_ENDED = re.compile(rb"(?i)\b(?:fail\w*|errors?|critical|fatal|exception|complet\w*|finish\w*|done|exit\w*|stopp\w*)\b")
"""What stands right above another start, where the run before is over."""
_ALL_DONE = re.compile(
    rb"(?i)\b(?:complet\w*|finish\w*|done)\b.{0,40}\b(?:for all|all)\b|\ball\b.{0,60}\b(?:complet\w*|finish\w*|done)\b"
)
"""What stands above the next run of a program that works on one thing after the other."""
BLOCK, SEVERAL = 24, 4
"""Lines of a run that came to nothing; so many of them show what they are."""
BEFORE_IT = 160
"""Bytes that may stand before a logger's first line: a shell's word."""
SETTINGS = 5
"""So many keys of a record are settings, where none of them is a loss."""
TWO = 2
"""Numbers that always differ by as much; two that do not follow each other show nothing."""
WITHIN = 64
"""Lines of a file among which its first stamped one stands."""
_DIGITS = re.compile(rb"\d+")
_COUNT = re.compile(rb"(?<![\d.])(\d{1,9}) ?(?:/|of) ?(\d{1,9})(?![\d.])")
_COMMAND = re.compile(COMMAND.encode())
_WEEKDAY = re.compile(
    rb"[\s:]{1,3}(?i:mon?|tue|wed|thu|fri?|sat?|sun|di|mi|do|so|lun|mar|mer|jeu|ven|sam|dim)[a-z]{0,6}\.?,?\s*$"
)
"""What stands before a date."""
_QUOTE = re.compile(rb"[\"'(/\\]|\b[A-Z]:\\|(?<=\w=)(?!=)")
"""Where a name or a value begins that may be another one in the next run."""
_EPOCH, HEADED = re.compile(rb"(?i)[^A-Za-z\d]{0,20}epoch\W{0,4}0{0,8}(\d{1,6})\W{0,20}$"), 4
"""The heading of an epoch; lines above another among which it stands."""
_PAIRS = re.compile(rb"([A-Za-z]\w{3,20}:)[^\s:]{1,40} [A-Za-z]\w{1,20}:\S")
"""Settings in a row, `data:films width:57`."""
_ARGUMENTS = re.compile(rb"\W{0,4}(?:[\w\[ ]{1,24}[:\]]{1,2} ?)?\[?(?:Namespace\(|\{')")
_RESUMES = re.compile(
    rb"(?i)\bresum(?:e|ed|es|ing)\b(?!\W{0,4}(?:none|false|null))|\brestor(?:ed|ing) (?:from|checkpoint|model)"
    rb"|\bcontinu(?:e|ing) (?:from|training)"
)
"""Behind a start: the counter goes on where an earlier run left it."""
_SAYS_RUN = re.compile(
    rb"(?i)^\W{0,8}(?:new (?:run|session|experiment)\b|log(?:ging)? (?:started|begins|opened)\b"
    rb"|(?:program|run|script|session) (?:starts|started|begins|start)\b"
    rb"|(?:attempt|try|run|versuch|lauf|tentative|essai|intento) {0,2}#?\d{1,4}\b"
    rb"|(?:[+-]\d{4}\W{1,4})?(?:[$+#>:] )?(?:\S{0,80}/)?"
    rb"(?:python[\d.]{0,6}|" + STARTERS.encode() + rb") (?:-\S{1,20} ){0,8}\S)"
)
"""A first line that says of itself that a run begins."""
_SAYS_START = re.compile(
    rb"(?i)\W{0,8}(?:(?:start|begin|launch)(?:ing|s|ed)? [a-z]|(?:[\w-]{1,20} ){1,3}start(?:ed|ing)\b)"
)
"""A first line that says that something begins, which may be a part of a run."""
_SAYS_END = re.compile(rb"(?i)\b(?:stopped|finished|terminated|exited|closed|shut ?down)[.! ]{0,4}$")
"""A first line that is the last one of a run before."""
_WORD = re.compile(rb"[^\W\d_]|[\x80-\xff]")
"""What a line that only draws has none of."""
DRAWN = 3
"""Lines without a word that may stand before a program's first sentence."""


class Place(NamedTuple):
    """A line that begins as the file does."""

    at: int
    """The byte at which it begins."""
    time: float
    """Of its stamp, in a made-up year."""


def first_lines(case: Case, whole: slice, data: bytes) -> list[int]:
    """Bytes of a file's text at which its first line stands once more, where that is a run's beginning; `whole` are its
    records."""
    first = _first(data)
    said = b"" if first is None else parted(line(data, first.at))[0]
    if first is None or _SAYS_END.search(said):
        return []
    own_key = _key(said)
    own = _of_first_item(data, _word_for_word(data, [first, *_again(data, first, own_key)], said))
    near = SEVERAL_AT_ONCE_S if len(own) > 1 and abs(own[1].time - first.time) <= AT_ONCE_S else AT_ONCE_S
    told, again = _told_arguments(data, first, own)
    starts = _but_epochs(data, _starts(sorted({*own, *again}), near))
    begins = [_with_rule(data, at) for at in starts]
    if _COMMAND.match(said) and _lists_commands(data):
        return []
    if _SAYS_RUN.search(said):
        return begins[1:]
    counted = numbered(data, starts)
    if _ARGUMENTS.match(said) and not counted and _paused(data, begins[1:]):
        return begins[1:]  # they are read once in a program's life
    if counted or _counted_above(data, starts):
        return []
    if (told is not None or b"Namespace(" in said[:KEY]) and _all_anew(case, whole, starts[1:]):
        return begins[1:]  # arguments are read once in a program's life, however soon the next one was started
    if not _paused(data, begins[1:]):  # workers may say it too, that a run starts
        if rested := [begin for begin in begins[1:] if _silence(data, begin) >= LONG_S]:
            return rested
        starts = [starts[0], *(at for at, begin in zip(starts[1:], begins[1:], strict=True) if _paused(data, [begin]))]
        begins = [_with_rule(data, at) for at in starts]
        if len(begins) < 2 or not _told_anew(case, whole, starts[1:]):
            return []
    anew, on = _counted(case, whole, [at for at in starts[1:] if not _RESUMES.search(data, at, at + BEHIND)])
    may_resume = told is not None or 2 * on <= len(starts) - 1  # arguments are read once in a program's life
    if anew > on:
        return begins[1:]
    behind = [_behind(data, at, end, own_key) for at, end in pairwise((*starts, len(data)))]
    alike = begins[0] <= BEFORE_IT and may_resume and (_goes_on_alike(behind) or _begin_with(behind, told))
    return begins[1:] if alike or (may_resume and _rested(data, begins, behind)) else []


def _lists_commands(data: bytes) -> bool:
    """Whether a file holds nothing but commands, and none twice: the list of what one driver ran."""
    said = [parted(raw[:LONGEST])[0].lstrip(b"] ") for raw in data.split(b"\n", MOST_TIMES) if raw.strip()]
    return len({*said}) == len(said) and all(map(_COMMAND.match, said))


def _told_arguments(data: bytes, first: Place, own: Sequence[Place]) -> tuple[bytes | None, list[Place]]:
    """How the arguments begin that stand behind a first line, and where they stand again; none where they count."""
    told = _arguments(data, own)
    again = [] if told is None else [*_again(data, first, told)]
    texts = (line(data, place.at) for place in again)
    if any(GOES_ON.search(text) and not (b"Namespace(" in text or _is_settings(parted(text)[0])) for text in texts):
        return None, []
    return told, again


def _all_anew(case: Case, whole: slice, places: Sequence[int]) -> bool:
    """Whether the counter of steps is behind where it was at all of some places."""
    anew, on = _counted(case, whole, places) if places else (0, 0)
    return anew == len(places) > 0 == on


def _counted_above(data: bytes, starts: Sequence[int]) -> bool:
    """Whether the lines right above count the places, up to a total: `Point 3/24`, below which each begins alike."""
    told = [_COUNT.search(line(data, before(data, at))) if at else None for at in starts]
    counts = [(int(m[1]), m[2]) for m in told if m is not None]
    grows = all(a < b and of == total for (a, of), (b, total) in pairwise(counts))
    return len(counts) == len(starts) >= TWO and grows


def _but_epochs(data: bytes, starts: Sequence[int]) -> list[int]:
    """Some places but those under the heading of the next epoch: each epoch begins alike."""
    epochs = [_epoch_above(data, at) for at in starts]
    following = [one is not None and other == one + 1 for one, other in pairwise(epochs)]
    return [*starts[:1], *(at for at, follows in zip(starts[1:], following, strict=True) if not follows)]


def _epoch_above(data: bytes, at: int) -> int | None:
    """The epoch that a heading right above a line names."""
    for _ in range(HEADED):
        at = before(data, at) if at else at
        if heading := _EPOCH.match(line(data, at)):
            return int(heading[1])
    return None


def _rested(data: bytes, begins: Sequence[int], behind: Sequence[tuple[bytes, ...]]) -> bool:
    """Whether long pauses stand before all later places, and behind each a line that is the same, or behind most of
    them nothing at all: hardly by chance."""
    pauses, several = [_pause(data, at) for at in begins[1:]], len(begins) > TWO
    if (several and _nothing_else(data, begins)) or _short_blocks(data, begins, pauses):
        return True
    says_start = _SAYS_START.match(parted(line(data, begins[0]))[0]) is not None
    rest = SHORT_REST_S if says_start else REST_S
    known = [pause for pause in pauses if pause is not None]
    if says_start and uneven(known) and all(FAILED.search(_worded_above(data, at)) for at in begins[1:]):
        return True  # it was started until it worked
    long = all(pause is not None and pause >= rest for pause in pauses)
    ended = says_start and all(_ENDED.search(line(data, before(data, at))) for at in begins[1:])
    silent = sum(not said for said in behind[:-1])
    given_up = (several and 2 * silent > len(behind)) or (says_start and silent == len(behind) - 1)
    return long and len(begins) <= FEW and (ended or given_up or bool(set(behind[0]).intersection(*behind[1:])))


def _short_blocks(data: bytes, begins: Sequence[int], pauses: Sequence[float | None]) -> bool:
    """Whether a file consists of a few lines below each of these, mostly the same words, and each was said a while
    after what stands above it: no training lies between."""
    ends = [*begins[1:], len(data)]
    few = all(data.count(b"\n", at, end) <= BLOCK for at, end in zip(begins, ends, strict=True))
    said = {parted(line(data, at))[0] for at in begins}
    known = [pause for pause in pauses if pause is not None and pause >= SHORT_REST_S]
    rested = len(known) == len(pauses) and 2 * sum(pause >= REST_S for pause in known) >= len(known)
    alike = len(begins) >= SEVERAL and 2 * len(said) <= len(begins)
    return few and rested and alike and not _CAME_OUT.search(data, begins[0], begins[-1])


def _nothing_else(data: bytes, begins: Sequence[int]) -> bool:
    """Whether a file holds nothing but one sentence, word for word, at several times."""
    said = [parted(raw[:LONGEST])[0] for raw in data.split(b"\n", MOST_TIMES) if raw.strip()]
    return len(said) == len(begins) and len({*said}) == 1


def _first(data: bytes) -> Place | None:
    """The first line with a stamp, if it may be what a program says at its start."""
    at = 0
    for _ in range(WITHIN):
        text, clock = parted(line(data, at))
        if clock is not None and _WORD.search(text):
            counts = GOES_ON.search(text[:SAYS_SO]) is not None and not _is_settings(text)
            return None if counts or OF_LIBRARY.search(text) else Place(at, clock)
        at = data.find(b"\n", at) + 1
        if not at:
            break
    return None


def _is_settings(text: bytes) -> bool:
    """Whether a line holds the settings of a run, of which the number of epochs may be the first."""
    return text.lstrip(b"]-: ").startswith(b"{'") and text.count(b"': ") >= SETTINGS and b"loss'" not in text


def _with_rule(data: bytes, at: int) -> int:
    """Where a run's first line begins, or the ones without a word that are drawn right above it."""
    clock, begin = parted(line(data, at))[1], at
    for _ in range(DRAWN):
        text, then = parted(line(data, above := before(data, begin)))
        if above == begin or then is None or clock is None or _WORD.search(text) or not 0 <= clock - then < LOADED_S:
            break
        begin = above
    return begin


def _begin_with(behind: Sequence[tuple[bytes, ...]], arguments: bytes | None) -> bool:
    """Whether the arguments, of which there are some, stand right behind most of these lines."""
    return arguments is not None and 2 * sum(said[:1] == (arguments,) for said in behind) > len(behind)


def _arguments(data: bytes, starts: Sequence[Place]) -> bytes | None:
    """How the arguments begin that are written right behind a first line; a changed program may write them alone."""
    behind = (parted(line(data, data.find(b"\n", start.at) + 1)) for start in starts)
    return next((_key(text) for text, clock in behind if clock is not None and _ARGUMENTS.match(text)), None)


def _key(text: bytes) -> bytes:
    """What a first line begins with, digits aside, up to what it quotes or sets."""
    masked = _DIGITS.sub(b"#", _WEEKDAY.sub(b"", text[: 2 * KEY]))
    if command := _COMMAND.match(masked):
        return command[0]
    if pairs := _PAIRS.match(masked):
        return pairs[1]
    quote = _QUOTE.search(masked, BEFORE_QUOTE)
    return masked[: min(KEY, quote.start() if quote else KEY)].rstrip()


def _again(data: bytes, first: Place, key: bytes) -> Iterator[Place]:
    """Later lines that begin like the first one behind their stamps."""
    if len(key) < LEAST_KEY:
        return
    said = re.compile(NUMBER.join(re.escape(part) for part in key.split(b"#")))
    for n, found in enumerate(said.finditer(data, first.at + 1)):
        if n > MOST_TIMES:
            return
        at = data.rfind(b"\n", 0, found.start()) + 1
        text, clock = parted(line(data, at))
        if at > first.at and clock is not None and _key(text).startswith(key):
            yield Place(at, clock)


def _word_for_word(data: bytes, places: list[Place], said: bytes) -> list[Place]:
    """Of the places where a first line stands again those where it says the same, if it says other things of other
    things in between: a run tells of each that it works on."""
    same = [place for place in places if parted(line(data, place.at))[0] == said]
    return same if 1 < len(same) < len(places) and _ALL_DONE.search(line(data, before(data, same[1].at))) else places


def _of_first_item(data: bytes, places: list[Place]) -> list[Place]:
    """Of the places where a first line stands again those where the first item of a list stands, if a driver goes
    through the same list each time."""
    said = [parted(line(data, place.at))[0] for place in places]
    many = said.index(said[0], 1) if said[0] in said[1:] else 1
    again = many > 1 and len(said) > many + 1 and all(a == b for a, b in zip(said, said[many:], strict=False))
    return places[::many] if again else places


def _starts(places: Sequence[Place], near: float) -> list[int]:
    """The first of those that are said at once, or by several processes of one start."""
    found: list[int] = []
    last = float("-inf")
    for place in places:
        if not 0 <= place.time - last <= near:
            found.append(place.at)
        last = place.time
    return found


def _paused(data: bytes, places: Sequence[int]) -> bool:
    """Whether some time passed before most of some places: a program is loaded then."""
    pauses = [_pause(data, at) for at in places]
    known = [abs(pause) >= LOADED_S for pause in pauses if pause is not None]
    return sum(known) >= MOSTLY * len(known)


def _pause(data: bytes, at: int) -> float | None:
    """Seconds from the last stamped line before a line, if one is near, to its own."""
    clock = parted(line(data, at))[1]
    lines = data[max(at - BEHIND, 0) : at].split(b"\n")
    if at > BEHIND:
        del lines[0]  # it may begin within a line
    last = next((then for raw in reversed(lines) if (then := parted(raw[:LONGEST])[1]) is not None), None)
    return None if last is None or clock is None else clock - last


def _worded_above(data: bytes, at: int) -> bytes:
    """The next line above another that has words."""
    while at > 0:
        at = before(data, at)
        if _WORD.search(text := line(data, at)):
            return text
    return b""


def _silence(data: bytes, at: int) -> float:
    """Seconds from the stamped line right above a line to its own; 0 where none stands there."""
    clock, then = parted(line(data, at))[1], parted(line(data, before(data, at)))[1] if at else None
    return 0.0 if clock is None or then is None else clock - then


def numbered(data: bytes, places: Sequence[int]) -> bool:
    """Whether a number in these lines grows by as much from each to the next: it counts them."""
    if len(places) < 2:
        return False
    texts = [_QUOTE.split(parted(line(data, at))[0], maxsplit=1)[0] for at in places]
    numbers = [[int(n) for n in _DIGITS.findall(text)][:8] for text in texts]
    if len({len(n) for n in numbers}) != 1:
        return False
    grown = [{b - a for a, b in pairwise(column)} for column in zip(*numbers, strict=True)]
    return {1} in grown or (len(places) > TWO and any(len(by) == 1 and min(by) > 0 for by in grown))


def _told_anew(case: Case, whole: slice, places: Sequence[int]) -> bool:
    """Whether the counter of steps is behind where it was at most places, and nowhere goes on."""
    anew, on = _counted(case, whole, places)
    return not on and 2 * anew > len(places)


def _counted(case: Case, whole: slice, places: Sequence[int]) -> tuple[int, int]:
    """At how many places the counter of steps is behind where it was, and at how many it goes on."""
    anew, on = 0, 0
    for at in places:
        pair = around(case, whole, row_behind(case, whole, at))
        if pair is not None:
            anew += counts_anew(case, pair)
            on += step(case, pair[1]) > step(case, pair[0])
    return anew, on


def _goes_on_alike(behind: Sequence[tuple[bytes, ...]]) -> bool:
    """Whether what follows the first line at most of some places is what follows it at others."""
    usual = Counter(said for said in behind if len(said) >= ALIKE).most_common(1)
    alike = [said == usual[0][0][: len(said)] for said in behind] if usual and usual[0][1] > 1 else []
    return 2 * sum(alike) > len(behind)


def _behind(data: bytes, at: int, end: int, own: bytes) -> tuple[bytes, ...]:
    """What the lines with a stamp begin with that follow a line, before the next start; that the line's `own` words
    stand again shows nothing."""
    lines = data[at : min(at + BEHIND, end)].split(b"\n")[1:]
    if at + BEHIND < end:
        del lines[-1:]  # it may be cut
    told = [text for text, clock in map(parted, lines) if clock is not None and text and _key(text) != own][:FOLLOWING]
    counts = next((n for n, text in enumerate(told) if GOES_ON.search(text[:SAYS_SO])), 0)
    return tuple(map(_key, told[:counts] if counts >= ALIKE else told))  # a resumed run counts from elsewhere

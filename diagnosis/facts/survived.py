"""Exceptions that their program survived, as the lines around them tell: logged, passed over, or provoked by a test."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from logtui.diagnosis.facts.stamped import parted
from logtui.parsers.regex import regex
from logtui.parsers.tracebacks.traceback import Traceback

PASSED_OVER = regex(
    r"(?i:^[^\n]{0,200}\b(?:(?:skipp|ignor|dropp)(?:ed|ing) (?:\w{1,20} ){0,3}"
    r"(?:samples?|records?|rows?|batch(?:es)?|images?|files?|clips?|documents?|examples?|utterances?|shards?|it|errors?)\b"
    r"|(?:this |the )?error is expected|\d{1,6} fits failed with the following error))"
)
"""A line with which a program begins to tell of an error that it passes over: the traceback stands right below."""
DROPPED = regex(
    r"(?i)(?:[,;:(-]|->|=>|→) {0,2}(?:(?:dropp|skipp|ignor)(?:ed|ing)(?: (?:it|this|the \w{1,12}))?"
    r"|retry(?:ing)?(?: (?:it|this|the \w{1,12}|once more|again|with [^\n]{1,60}))?)"
    r"(?:\W{0,3}|[,;] [^\n]{0,60})$"
    r"|\b(?:unavailable|not available): [A-Z]\w{0,40}Error\b"
    r"|\[(?:system_info|gpu\w{0,12}|[ti]pu|trainium|disk|cpu|memory|network)\.py:\w{1,40}\(\):\d{1,6}\] "
    r"|^error (?:git repo not found|dialing: google: could not find default credentials)"
)
"""What a program says in the very line of an error, of one thing of many; and wandb, of what it did not learn about
the machine, the repository or a bucket."""
LOGGED = regex(r"\b[WIV]\d{4} \d\d:\d\d:\d\d\.\d+ \d+ torch/\S+\.py:\d+\] ")
"""torch's own log at a level below error: what it logs there it has caught."""


OF_JAVA = regex(r"^(?:[a-z]\w{0,40}\.){1,12}[A-Z][\w$]{1,100}(?::|\s*$)")
"""How a throwable of Java's is named at the beginning of a line."""
_CALL = "\tat "
_STACK = regex(r"\s|Caused by: |$")
_BELOW_ERROR = regex(
    r"^(?:(?!\b(?:ERROR|FATAL|SEVERE)\b).){0,120}?\b(?:TRACE|DEBUG|INFO|WARN(?:ING)?)\b(?!.{0,200}\b[Aa]bort)"
)


def logged_in_java(above: str, lines: Sequence[str]) -> bool:
    """Whether some lines, the first of which names a throwable, are that with its stack, and more, that a logger of
    Java's printed below a record at a level below error: who logs it so has caught it."""
    if len(lines) < 2 or not lines[1].startswith(_CALL):
        return False
    return _BELOW_ERROR.match(above) is not None and any(not _STACK.match(text) for text in lines[1:])


def of_logging(said: Traceback, lines: Sequence[str]) -> bool:
    """Whether a handler of `logging` could not write a message: it prints that, and goes on."""
    began = bool(said.frames) and said.frames[0].function == "emit" and "/logging/" in said.frames[0].file
    return began or was_logging(lines[said.last_index + 1 :][:CALL_WITHIN])


SHOWN = 400
"""Characters of a line in which its stamp stands."""


def logged_as_one(lines: Sequence[str], said: Traceback) -> bool:
    """Whether a program's logger wrote a traceback as one message, below one stamp: it was caught, and the program may
    go on. What stamps all that a process writes stamps the last line as well."""
    if len(lines) <= said.last_index:  # the file is gone since
        return False
    first, last = (parted(lines[at].encode()[:SHOWN])[1] for at in (0, said.last_index))
    return first is not None and last is None


_LIBRARY_TOP = regex(r"/(?:site|dist)-packages/(?:\w[\w.-]{0,80}/){1,12}(?!__main__)\w{1,80}\.py$")
"""A file of a package's; a module alone, and `__main__`, may be what `python -m` runs."""
_SERVES = regex(r"/streamlit/")
"""Streamlit runs the script of a page, and shows what it raises."""


def caught_by_library(said: Traceback, behind: Sequence[str]) -> bool:
    """Whether the outermost frame is a library's own top level, or a server's that runs a script for each request, and
    more is said behind it: what nobody catches goes through the program that imported it, so that the library caught
    it there, and printed it."""
    frames = said.frames or said.root.frames
    top = bool(frames) and frames[0].function == "<module>" and _LIBRARY_TOP.search(frames[0].file) is not None
    serves = bool(frames) and _SERVES.search(frames[0].file) is not None
    return (top or serves) and any(line.strip() for line in behind)


CALL_WITHIN = 3
"""Lines behind an exception in which a handler of `logging` begins the stack of the call that it could not write."""


def was_logging(behind: Iterable[str]) -> bool:
    return any(line.strip() == "Call stack:" for line in behind)


_EXPECTED = regex(
    r"\b(?:expect(?:s|ing)?|should (?:now )?(?:fail|raise|throw|crash|trip))\b(?!ed scalar)(?=.{0,60}"
    r"\b(?:errors?|exceptions?|failures?|fail|raise|throw|crash|trip)\b)|\braises\b\W{0,3}$|_raises\b",
    re.I,
)
"""What a test says before an error that it provokes."""
_AS_EXPECTED = regex(
    r"^\W{0,8}(?:\.{2,4} ?)?(?:got it\b|as (?:it should|expected)\b"
    r"|(?:correctly|properly) (?:caught|raised|rejected|refused))"
    r"|\((?:as it should|as expected|expected)\)|\b(?:is|was) expected\b",
    re.I,
)
"""What it says behind it."""


_TRIED = regex(r"\bTrial \d{1,9} failed with parameters\b")
_NEXT_TRIAL = regex(r"\bTrial \d{1,9} (?:finished with value|pruned)")


def tried_on(before: Sequence[str], behind: Iterable[str]) -> bool:
    """Whether Optuna logged what a trial raised, and went on to another one."""
    return any(map(_TRIED.search, before)) and any(map(_NEXT_TRIAL.search, behind))


_NUMBER = regex(r"\d{1,9}")
COUNTED_ON, ERROR_LINES = 3, 12
"""Lines behind an error in which a sentence counts on, at least; those that the error itself takes, at most."""


def counted_past(before: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether an error that is told in one line, the first of some, stands amid a sentence that counts on behind it."""
    said = _sentence(before[-1]) if before else ""
    first = next((n for n, text in enumerate(lines[1:], 1) if _sentence(text) == said), len(lines))
    around = [*before[-1:], *lines[first : first + COUNTED_ON]]
    counts = [int(m[0]) for text in around if _sentence(text) == said and (m := _NUMBER.search(text)) is not None]
    return len(counts) > COUNTED_ON and all(a < b for a, b in pairwise(counts))


def _sentence(text: str) -> str:
    """A line without its numbers."""
    return _NUMBER.sub("#", text.strip())


_PIPE_ENDS = ("EOFError", "ConnectionResetError", "BrokenPipeError")
_VECTOR_WORKERS = frozenset({"_worker", "_worker_shared_memory", "_async_worker"})
"""Functions in which the processes of vectorised environments wait for a command."""


def of_closed_pipe(said: Traceback) -> bool:
    """Whether an environment's process saw its parent go, which ends all of them."""
    names = {frame.function for frame in said.root.frames}
    return said.root.exception.endswith(_PIPE_ENDS) and not _VECTOR_WORKERS.isdisjoint(names)


def feeds(said: Traceback) -> bool:
    """Whether it was raised in the thread with which Paddle reads data, without which nothing goes on; that its
    workers are gone tells of them."""
    return not said.root.exception.endswith("Empty") and any(
        frame.function == "_thread_loop" and "dataloader" in frame.file for frame in said.frames
    )


def was_expected(before: Sequence[str], behind: Sequence[str]) -> bool:
    """Whether the lines around an error say that it was provoked."""
    return any(map(_AS_EXPECTED.search, behind[:2])) or any(map(_EXPECTED.search, before))

"""What an exception is by when and where it was raised, where neither its words nor its structure say.

All ranks run the same code: what a program refuses on one of them alone, in the middle of the training, is of what that
one read. What it refuses on all ranks before it has trained is what it was started with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.exceptions import ExceptionFact
from logtui.diagnosis.facts.job import seen_ranks
from logtui.parsers.exceptions.declaration import ExceptionKind
from logtui.parsers.pattern import FailureClass
from logtui.parsers.regex import regex
from logtui.parsers.structure.families import PROGRAM, place
from logtui.parsers.structure.hints import SAVES
from logtui.parsers.tracebacks.frames import Frame

_SAYS_NOTHING = frozenset({"exception.value", "exception.other"})
"""Kinds of any program's failure; mistakes of its text are another."""
_OF_OTHERS = regex(
    r"(?i:remote|client|server|\brpc|socket|stream|peer|thread|heartbeat|lease|connect|time-?out"
    r"|timed out|rank|worker|dist|\bresponses?\b|\brepl(?:y|ies|ied)\b"
    r"|\bnan\b|\binf\b|\bgrad|\bloss|cuda|\bgpu|nccl|memory|optim|comm"
    r"|invariant|\bring\b|\bqueue|buffer|\bheap\b|\bcursor|\bcounter|\block\b"
    r"|(?:should|must|can) ?(?:not|never) happen|\bbug\b)"
)
"""Of other processes, of the numbers of the model, of the machine, or of the program's own bookkeeping: a sample need
not be the reason."""
_CHECKS = regex(r"^_{0,2}(?:check|validate|verify|ensure|require|assert)(?:_\w{1,60})?$")
"""Functions that only look whether what they are given fits: what they refuse, they need not name."""

_STEPPING = regex(
    r"^(?:forward|backward|(?:train(?:ing)?_|optimizer_)?step|__call__|_call_impl|pack_hook)$|saved_tensor"
)
"""Functions of a first step that was never logged."""
DEEPEST = 6
"""Frames that are looked at."""
ABOVE, LONGEST = 40, 400
"""Lines above an exception among which a bar that filled shows that the program had worked; characters of one."""
_PREPARES = regex(r"(?i)load|download|fetch|map|filter|token|generating|examples/s|B/s")
_SAVES = regex(
    r"\b(?:torch\.save|np\.save\w{0,12}|(?:joblib|pickle|json|yaml)\.dump|\w{1,40}\.(?:savefig|to_(?:csv|parquet|json|pickle)"
    r"|save(?:_pretrained|_weights|_model|_checkpoint)?|export)|cv2\.imwrite|im(?:save|write)|save_(?:image|checkpoint))\("
)
"""Calls that write the file that they name, whoever opens it below them."""
_TO_WRITE = regex(r"\bopen\([^\n]{1,300}['\"][wax][bt+]{0,2}['\"]|\bmkdir\(")
"""A call that makes the file or the folder it names, so that it is the folder above that is missing."""


def _was_to_write(frames: Sequence[Frame]) -> bool:
    """Whether a file that is not there was to be made."""
    return bool(_TO_WRITE.search(frames[-1].source)) or any(_SAVES.search(frame.source) for frame in frames[-DEEPEST:])


def by_circumstances(facts: Facts, fact: ExceptionFact, ranks: tuple[int, ...]) -> ExceptionKind:
    """The exception's kind, with the class that the phase and the ranks speak for where nothing else does.

    `ranks` are those that raised it, none where nearly all did.
    """
    kind, root = fact.row, fact.traceback.root
    if root.exception.endswith("FileNotFoundError") and root.frames and _was_to_write(root.frames):
        return replace(kind, cls=FailureClass.CONFIG, title="the folder that it writes to is not there")
    if kind.name not in _SAYS_NOTHING or not root.frames or place(root.frames[-1].file) != PROGRAM:
        return kind
    deepest = root.frames[-1]
    words = f"{deepest.file.rpartition('/')[2]} {deepest.function} {root.exception}: {root.message}"
    if _OF_OTHERS.search(words):
        return kind
    shown = (text[-LONGEST:] for text in facts.case.preceding(fact.record, ABOVE) if "100%|" in text)
    worked = any(not _PREPARES.search(text) for text in shown)
    begun = worked or facts.lived or any(_STEPPING.search(frame.function) for frame in root.frames)
    told = bool(root.message) or _CHECKS.match(deepest.function) is not None  # a bare assertion is told to nobody
    if not begun and not ranks and told and deepest.refuses:
        return replace(kind, cls=FailureClass.CONFIG, title="the program refused what it was started with")
    others = facts.expected[0] or len(seen_ranks(facts.identity))  # of whom more is known than that they wrote
    alone = len(ranks) == 1 and others > 1
    if facts.lived and alone and deepest.refuses and not SAVES.found(f"{deepest.file} {deepest.function}"):
        return replace(kind, cls=FailureClass.DATA, title="one rank alone failed at what it worked on")
    return kind

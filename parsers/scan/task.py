"""The unit of work that travels: some ranges in, columns out. Runs in this process, in another, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import local

from logtui.parsers.errors import LogtuiError, ProgramDiffers
from logtui.parsers.registry import registry
from logtui.parsers.scan.plan import Piece, Task
from logtui.parsers.scan.program import READERS, code
from logtui.parsers.scan.proof import make_engine
from logtui.parsers.scan.scanner import RangeScan, RangeScanner


@dataclass(slots=True)
class Outcome:
    """What a task gave."""

    parts: list[RangeScan] = field(default_factory=list)
    unread: list[tuple[int, str]] = field(default_factory=list)
    """(file, why)."""
    engine: str = ""
    """Which engine scanned."""


_mine = local()
"""Scanners of this thread by engine: native scratch space must not be shared. Forked workers inherit them."""


def scanner(engine: str) -> RangeScanner:
    """This thread's scanner, made once."""
    made: dict[str, RangeScanner] = _mine.__dict__.setdefault("scanners", {})
    if engine not in made:
        known = registry()
        made[engine] = RangeScanner(make_engine(known.anchors, engine), known)
    return made[engine]


def run_task(task: Task, engine: str, digest: str, cancelled: Callable[[], bool] = lambda: False) -> Outcome:
    """Scan the pieces of a task; a file that cannot be read costs only itself.

    `digest` is that of the code which sent the task; "" where it is this process, or one that it has started.

    Raises:
        MemoryError: in a worker that has not enough.
        ProgramDiffers: if this process would read logs by other code than the one that sent the task.
    """
    if digest and digest != (here := code(READERS)):
        raise ProgramDiffers(here, digest)
    mine = scanner(engine)
    outcome = Outcome(engine=mine.engine.name)
    for piece in task.pieces:
        if cancelled():
            break
        try:
            outcome.parts += _scan(mine, piece, cancelled)
        except LogtuiError as error:
            outcome.unread.append((piece.file.index, getattr(error, "why", str(error))))
        except Exception as error:  # the boundary of a worker: one odd file must not cost the others
            if isinstance(error, MemoryError) and _is_worker():
                raise  # whoever sent the task may have more
            outcome.unread.append((piece.file.index, f"could not be scanned: {error!r}"))
    return outcome


def _is_worker() -> bool:
    from multiprocessing import parent_process

    return parent_process() is not None


def _scan(mine: RangeScanner, piece: Piece, cancelled: Callable[[], bool]) -> Sequence[RangeScan]:
    return mine.scan(piece.file, piece.start, piece.stop, cancelled)

"""One pass over the bytes of a log: newline index, and the few lines that hold a declared anchor.

The unit of work is a byte range of one file; a range owns every line that *starts* in it. Python touches only
lines with an anchor. What comes back is columns, so that ranges can be scanned in other processes and merged, and
the merge of any ranges that cover a file gives the same table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from logtui.parsers.blocks import Block, BlockReader
from logtui.parsers.bulk import BulkFinder
from logtui.parsers.engine import Engine
from logtui.parsers.fold import Folding
from logtui.parsers.matchers import Matchers
from logtui.parsers.newlines import NewlineCounter
from logtui.parsers.part import PartBuilder, Tools
from logtui.parsers.range_scan import RangeScan, nothing
from logtui.parsers.registry import Registry
from logtui.parsers.source import LogFile
from logtui.parsers.void_lines import VoidLines

__all__ = ["RangeScan", "RangeScanner"]


class RangeScanner:
    """Scans ranges with one engine; keeps its buffers between ranges. Serves one thread."""

    def __init__(self, engine: Engine, known: Registry) -> None:
        self.engine = engine
        self._reader = BlockReader()
        matchers, newlines = Matchers(known), NewlineCounter(self._reader.buffer)
        bulk, void = BulkFinder(matchers, newlines), VoidLines(matchers, newlines)
        self._tools = Tools(engine, matchers, Folding(known.patterns), newlines, bulk, void)

    def scan(
        self, file: LogFile, start: int = 0, stop: int | None = None, cancelled: Callable[[], bool] = lambda: False
    ) -> list[RangeScan]:
        """Scan the lines that start in [start, stop) of a file; `stop` None means to its end.

        Gives one part, and a second one for a last line without a newline: when the file grows, only that part is
        scanned again. A file that shrinks, or is damaged, gives what could be read, and `damage` says why it ends.

        Raises:
            PathUnreadable: if the file cannot be opened.
            ArchiveRefused: if it is a member that is not there or not to be read.
        """
        parts: list[PartBuilder] = []
        for block in self._reader.read(file, start, stop):
            if not parts or _begins_part(block):
                parts.append(PartBuilder(file, block.offset, self._tools))
            parts[-1].take(block)
            if cancelled():
                break
        scans = [part.finish() for part in parts] or [nothing(file.index, start)]
        scans[0] = replace(scans[0], start=start)
        scans[-1] = replace(scans[-1], damage=self._reader.damage)
        return scans


def _begins_part(block: Block) -> bool:
    """Whether the block is a line that may never end: too long for a block, or the last of the file."""
    return not block.continued and not block.buffer.endswith(b"\n", block.begin, block.end)

"""How far the reading of a case is."""

from __future__ import annotations

from dataclasses import dataclass

from logtui.parsers.plan import Stage


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the reading is. Bytes as stored on disk; what an index knew counts as read."""

    files_done: int
    files: int
    bytes_done: int
    bytes: int
    stage: Stage = Stage.REST
    """What is being read; `REST` also when all is read."""
    elapsed_s: float = 0.0
    """Since this stage began."""
    bytes_before: int = 0
    """Those of `bytes_done` that were read in stages before this one, or that an index knew."""
    trouble: str = ""
    """Why parts are read a second time, in this process: what the last worker that failed said."""

    @property
    def share(self) -> float:
        """0.0 to 1.0."""
        return self.bytes_done / self.bytes if self.bytes else 1.0

    @property
    def bytes_per_s(self) -> float:
        """In this stage: ends and heads of files hold more of what is looked for. 0.0 before anything is read."""
        return (self.bytes_done - self.bytes_before) / self.elapsed_s if self.elapsed_s else 0.0

    @property
    def remaining_s(self) -> float | None:
        """At the rate so far, in the last stage; None before there is one."""
        if self.stage is not Stage.REST or not self.bytes_per_s:
            return None
        return (self.bytes - self.bytes_done) / self.bytes_per_s

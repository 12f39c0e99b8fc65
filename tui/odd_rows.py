"""Odd lines, section by section, as rows that name who, when, how often and what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from logtui.tui.cited_text import without_prefix
from logtui.tui.printable import printable
from logtui.tui.wording import duration_text, ranks_text

if TYPE_CHECKING:
    from logtui.diagnosis.odd_lines.findings import OddLine, OddLines
    from logtui.diagnosis.report import Evidence

SEVERE, PLAIN = "✖", " "


@dataclass(frozen=True, slots=True)
class OddRow:
    """One row; Enter leads to its evidence."""

    mark: str
    who: str
    number: str
    """How often, or for how long."""
    evidence: Evidence
    why: str

    @property
    def text(self) -> str:
        """The line without what stands in other columns."""
        return printable(without_prefix(self.evidence.text))


@dataclass(frozen=True, slots=True)
class Section:
    """Rows of one kind."""

    name: str
    rows: tuple[OddRow, ...]
    empty: str
    """What is said where there are none."""


def sections(found: OddLines) -> tuple[Section, ...]:
    """Those with a healthy run's come first where there is one."""
    odd = Section("said by few", tuple(map(_odd_row, found.odd)), "no line stands out")
    words = tuple(
        OddRow(PLAIN, f"rank {w.rank}", "" if w.silent_s is None else duration_text(w.silent_s), w.evidence,
               "last words; what watchdogs and launchers print after them does not count")
        for w in found.last_words
    )  # fmt: skip
    silent = Section("fell silent", words, "no line names the rank that wrote it")
    gone = tuple(
        OddRow(PLAIN, f"rank {u.rank}", "" if u.early_s is None else duration_text(u.early_s), u.evidence,
               f"never said it, {u.others} others did; this is one of theirs" if u.early_s is None
               else f"the last time it said this; {u.others} others went on for {duration_text(u.early_s)}")
        for u in found.unsaid
    )  # fmt: skip
    unsaid = Section("stopped saying", gone, "every rank says what the others say")
    if found.baseline is None:
        return odd, silent, unsaid
    name = printable(found.baseline)
    new = Section(f"not in {name}", tuple(map(_odd_row, found.new)), f"{name} says all of this job's lines too")
    return new, odd, silent, unsaid


def _odd_row(odd: OddLine) -> OddRow:
    who = f"rank {ranks_text(odd.ranks, 2)}" if odd.ranks else printable(odd.writers[0])
    others = odd.said_by - max(len(odd.ranks), 1)
    who += f" +{others}" if others else ""
    extra = f"; {odd.folded} more kinds of lines around it" if odd.folded else ""
    known = "; a declared format knows it, and rules weighed it" if odd.declared else ""
    return OddRow(SEVERE if odd.severe else PLAIN, who, f"{odd.count}×", odd.evidence, f"{odd.why}{extra}{known}")

"""A rule: what it claims, what it needs, what speaks for it and against it, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.rules.ranking import Rung
from logtui.parsers.advice import Advice as Advice  # what a rule advises is filled in as a line's advice is
from logtui.parsers.pattern import FailureClass

Order = tuple[float, int, int]
Maturity = Literal["stable", "tried", "experimental"]


@dataclass(frozen=True)
class Claim:
    """What a rule says about one case, with the lines it rests on."""

    title: str
    cls: FailureClass
    first: Evidence | None
    """The earliest line that shows the cause."""
    order: Order
    """When, for "earliest cause first": (time or 0, file, line)."""
    rung: Rung
    """Its place among all claims: how directly the evidence shows this cause, and a cap on the confidence."""
    ranks: tuple[int, ...] = ()
    hosts: tuple[str, ...] = ()
    supporting: tuple[Evidence, ...] = ()
    refuting: tuple[Evidence, ...] = ()
    refuted: str = ""
    """Why the claim falls, if it does; it is kept as a runner-up."""
    direct: bool = False
    """The line itself states the cause, so that high confidence is possible."""
    missing: tuple[str, ...] = ()
    """What would settle it."""
    advice: tuple[Advice, ...] = ()
    """Overrides the rule's own. What the cited lines call for is added to either; without any, the class's is given."""
    unranked: bool = False
    """Without ranks none is to blame: they are not looked for among other claims."""
    outlives: bool = False
    """That the job completed does not speak against it: what was lost was not asked for again."""
    what: str = ""
    """The cause as a link of the chain; the title where empty."""

    @property
    def strength(self) -> int:
        """0 to 100: how directly the evidence shows this cause."""
        return self.rung.strength


@dataclass(frozen=True)
class Rule:
    """One declared rule. `id` is a stable public name."""

    id: str
    title: str
    claim: str
    """What it says when it fires, in one sentence."""
    needs: str
    """Which lines it cannot do without."""
    refuted_by: str
    find: Callable[[Facts], Iterable[Claim]]
    advice: tuple[Advice, ...] = ()
    maturity: Maturity = "stable"
    """stable; tried: it has won where it should, on few jobs, and claims medium confidence at most; experimental: only
    its tests show it to work, and it claims low confidence at most."""
    references: tuple[str, ...] = field(default_factory=tuple)
    last_resort: bool = False
    """Asked only where no other rule claims anything: what it looks at is costly."""

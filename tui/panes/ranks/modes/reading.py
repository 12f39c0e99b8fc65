"""What the rank grid can show of each rank: a mode gives every rank a look, and the number behind it in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from logtui.tui.shared.case_view import CaseView
from logtui.tui.shared.looks import StatusLook


@dataclass(frozen=True)
class Reading:
    """A mode applied to a case: looks by rank, and what they rest on."""

    looks: Mapping[int, StatusLook]
    order: Sequence[StatusLook]
    """The possible looks, loudest first: order of the legend and of outliers."""
    says: Callable[[int], str] = lambda rank: ""
    """The deciding number of one rank beside that of the others; "" where the status line says all."""
    quiet: frozenset[StatusLook] = frozenset()
    """Looks that are never out of line."""
    aside: frozenset[StatusLook] = frozenset()
    """Of those, the ones that others are not compared with: nothing is known."""
    first: tuple[int, ...] = ()
    """Ranks that are outliers whatever they look like."""
    key: Callable[[int], Hashable] | None = None
    """What makes two ranks identical beside their looks."""

    @cached_property
    def counts(self) -> Counter[StatusLook]:
        """How many ranks have which look."""
        return Counter(self.looks.values())

    @cached_property
    def outliers(self) -> tuple[int, ...]:
        """Ranks that do not look as most do, loudest first."""
        known = [(n, look) for look, n in self.counts.items() if look not in self.aside]
        usual = max(known, key=lambda pair: pair[0])[1] if known else None
        quiet = self.quiet | self.aside
        loudness = {look: n for n, look in enumerate(self.order)}
        odd = [r for r, look in self.looks.items() if look != usual and look not in quiet and r not in self.first]
        return (*self.first, *sorted(odd, key=lambda r: (loudness.get(self.looks[r], len(loudness)), r)))

    def oddest(self, ranks: Sequence[int]) -> int:
        """The loudest outlier among some ranks; the first of them where none is one."""
        loudness = self._loudness
        return min(ranks, key=lambda rank: loudness.get(rank, len(loudness)))

    @cached_property
    def _loudness(self) -> Mapping[int, int]:
        return {rank: n for n, rank in enumerate(self.outliers)}

    @cached_property
    def odd_ones(self) -> frozenset[int]:
        """The outliers, to ask whether a rank is one."""
        return frozenset(self.outliers)

    @cached_property
    def alike(self) -> tuple[tuple[StatusLook, tuple[int, ...]], ...]:
        """Identical ranks together, the rarest first."""
        classes: dict[tuple[StatusLook, Hashable], list[int]] = {}
        for rank, look in self.looks.items():
            classes.setdefault((look, self.key(rank) if self.key else None), []).append(rank)
        found = [(look, tuple(ranks)) for (look, _), ranks in classes.items()]
        return tuple(sorted(found, key=lambda c: (len(c[1]), c[1][0])))


@dataclass(frozen=True, slots=True)
class Mode:
    """One thing the grid can show."""

    name: str
    """A word or two: in the pane's title."""
    read: Callable[[CaseView, str | None], Reading]
    """From a case and a process group; None for all groups."""
    looks_closer: bool = False
    """Whether it goes through all records first, which takes a moment."""


UNKNOWN = StatusLook("unknown", "·", "not known", like="silent")


def usual_value(values: Mapping[int, float]) -> float | None:
    """The median."""
    ordered = sorted(values.values())
    return ordered[len(ordered) // 2] if ordered else None

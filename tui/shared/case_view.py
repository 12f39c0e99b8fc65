"""A report as the panes ask about it: by rank, by line, by place on the cause chain. Built once per report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from logtui.tui.shared.looks import ABSENT, LOOKS, SILENT
from logtui.tui.shared.walks import Walks

if TYPE_CHECKING:  # numpy comes with it: the first frame must not wait for that
    from logtui.diagnosis.dumps.findings import FlightRecorderFindings
    from logtui.diagnosis.facts.case_facts import Facts
    from logtui.diagnosis.facts.parallel import Dimension
    from logtui.diagnosis.facts.rank_activity import CountLane, Density, RankActivity
    from logtui.diagnosis.model.analyses import OddLines
    from logtui.diagnosis.model.evidence import Evidence, MarkedLine
    from logtui.diagnosis.model.report import GroupState, RankState, Report, TimelineEvent
    from logtui.diagnosis.storage.daemon_view import DaemonView
    from logtui.parsers.files.case import Case

Key = TypeVar("Key", bound=Hashable)
_LOUDNESS = {look.status: n for n, look in enumerate(LOOKS)}
_CALM = frozenset({"healthy", "waiting"})


@dataclass(frozen=True, slots=True)
class CausePlace:
    """One line of the cause chain."""

    step: int
    steps: int
    what: str
    evidence: Evidence

    @property
    def why(self) -> str:
        """What the raw viewer says about this line."""
        return f"cause {self.step}/{self.steps}: {self.what}"


def cause_path(report: Report) -> tuple[CausePlace, ...]:
    """The cause chain as lines to step along, from the trigger on."""
    chain = report.chain
    return tuple(CausePlace(step.step, len(chain), step.what, e) for step in chain for e in step.evidence)


def proof_words(report: Report) -> str:
    """What the verdict's first line is cited for."""
    words = {"unknown": "the earliest sign of trouble", "healthy": "shows that the job is well"}
    return words.get(report.verdict.cls, "proves the verdict")


def citations(report: Report) -> Iterator[tuple[str, Evidence]]:
    """Every citation with the words for it, the weightiest first."""
    verdict = report.verdict
    if verdict.first_evidence is not None:
        yield proof_words(report), verdict.first_evidence
    for step in report.chain:
        yield from ((f"cause {step.step}/{len(report.chain)}: {step.what}", e) for e in step.evidence)
    yield from (("supports the verdict", e) for e in verdict.supporting)
    yield from (("speaks against the verdict", e) for e in verdict.refuting)
    for symptom in report.symptoms:
        yield from ((f"symptom: {symptom.what}", e) for e in symptom.evidence)
    for advice in report.recommendations:
        yield from ((f"why: {advice.what}", e) for e in advice.because)


@dataclass(frozen=True)
class CaseView:
    """A report, the files it speaks about, and what the panes look up in them."""

    report: Report
    case: Case | None = None
    daemons: DaemonView | None = None
    dumps: FlightRecorderFindings | None = None
    compare: Callable[[], OddLines] | None = None
    """Compares the lines of all ranks; takes a second or so."""
    facts: Facts | None = None
    """What the report was made from; None where that is not at hand."""
    marks: tuple[MarkedLine, ...] = ()
    """What a person marked in the case file that was opened."""

    @cached_property
    def daemon_files(self) -> frozenset[str]:
        """Names of the logs of storage daemons."""
        return frozenset(self.daemons.files.values()) if self.daemons else frozenset()

    @cached_property
    def wrappings(self) -> dict[str, str]:
        """What a collector put before the lines of a file, for those where one did."""
        return {file.name: file.wrapping for file in self.case.files if file.wrapping} if self.case else {}

    @cached_property
    def states(self) -> dict[int, RankState]:
        """The ranks that left any trace."""
        return {state.rank: state for state in self.report.ranks}

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """Every rank: seen, missing, or only expected."""
        coverage = self.report.coverage
        expected = range(coverage.ranks_expected or self.report.job.world_size or 0)
        return tuple(sorted({*self.states, *coverage.ranks_missing, *expected}))

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """Process groups, those with the most ranks out of line first."""
        members: Counter[str] = Counter()
        odd: Counter[str] = Counter()
        for state in self.report.ranks:
            for group in state.groups:
                members[group.group] += 1
                odd[group.group] += group.status not in _CALM
        return tuple(sorted(members, key=lambda name: (-odd[name], -members[name], name)))

    @cached_property
    def _descriptions(self) -> dict[str, str]:
        return {g.group: g.desc for s in self.report.ranks for g in s.groups if g.desc}

    def group_label(self, group: str | None) -> str:
        """A process group as people know it."""
        if group is None:
            return "all groups"
        desc = self._descriptions.get(group, group)
        return group if desc == group else f"{group} {desc}"

    @cached_property
    def usual_counters(self) -> dict[str, tuple[int | None, int | None]]:
        """Per group the most common (enqueued, completed) of its ranks."""
        seen: dict[str, Counter[tuple[int | None, int | None]]] = {}
        for state in self.report.ranks:
            for g in state.groups:
                if (g.enqueued, g.completed) != (None, None):
                    seen.setdefault(g.group, Counter())[g.enqueued, g.completed] += 1
        return {group: counts.most_common(1)[0][0] for group, counts in seen.items()}

    def state_in(self, rank: int, group: str | None) -> GroupState | None:
        """A rank's state in a group; without one, the group in which it stands out most."""
        state = self.states.get(rank)
        if state is None or not state.groups:
            return None
        if group is not None:
            return next((g for g in state.groups if g.group == group), None)
        return min(state.groups, key=lambda g: _LOUDNESS.get(g.status, len(_LOUDNESS)))

    def status(self, rank: int, group: str | None = None) -> str:
        """A rank's state, overall or in one process group."""
        state = self.states.get(rank)
        if state is None:
            return SILENT
        if group is None:
            return state.status
        found = self.state_in(rank, group)
        return found.status if found else ABSENT

    @cached_property
    def activity(self) -> RankActivity | None:
        """What single ranks did, from all records: ask for it first in a thread."""
        from logtui.diagnosis.facts.rank_activity import rank_activity  # numpy comes with it

        return rank_activity(self.facts) if self.facts is not None else None

    @cached_property
    def density(self) -> Density | None:
        """When each source wrote how much, from all records: ask for it first in a thread."""
        from logtui.diagnosis.facts.rank_activity import density  # numpy comes with it

        return density(self.facts) if self.facts is not None else None

    @cached_property
    def guessed(self) -> frozenset[int]:
        """Ranks whose numbers were worked out."""
        return frozenset(state.rank for state in self.report.ranks if state.guessed)

    @cached_property
    def is_case_file(self) -> bool:
        """Whether this is a case file, which holds the lines round the failure only."""
        return self.case is not None and self.case.is_excerpt

    @property
    def counted_lanes(self) -> Mapping[str, CountLane]:
        """The lines of each source, once they are counted."""
        counted: Density | None = self.__dict__.get("density")
        return counted.lanes if counted else {}

    @cached_property
    def landmarks(self) -> tuple[TimelineEvent, ...]:
        """Restarts, attempts and checkpoints."""
        return tuple(event for event in self.events if event.mark)

    @cached_property
    def own_words(self) -> dict[int, Evidence]:
        """The last line each rank wrote before alarms spoke for it; filled while files are read from their ends."""
        return {}

    @property
    def last_times(self) -> dict[int, float]:
        """When each rank wrote its last line that is no alarm, as far as that is known."""
        read = {rank: words.time for rank, words in self.own_words.items()}
        return (self.activity.last_line if self.activity else {}) | {r: t for r, t in read.items() if t is not None}

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """How the ranks are divided for parallelism, where that is known."""
        from logtui.diagnosis.facts.parallel import dimensions  # numpy comes with it

        return dimensions(self.facts) if self.facts is not None else ()

    @cached_property
    def blameless_states(self) -> frozenset[tuple[str | None, str]]:
        """(group, state) of ranks that the verdict does not blame; the group is None for the state overall."""
        culprits = frozenset(self.report.verdict.culprit_ranks)
        others = [state for state in self.report.ranks if state.rank not in culprits]
        in_groups = {(g.group, g.status) for s in others for g in s.groups}
        return frozenset({(None, s.status) for s in others} | in_groups)

    @cached_property
    def outliers(self) -> tuple[int, ...]:
        """Culprits, then the ranks whose state is not the most common one, loudest first."""
        culprits = self.report.verdict.culprit_ranks
        common = Counter(s.status for s in self.report.ranks).most_common(1)
        usual = common[0][0] if common else SILENT
        odd = [s for s in self.report.ranks if s.status not in {usual, "healthy"} and s.rank not in culprits]
        odd.sort(key=lambda s: (_LOUDNESS.get(s.status, len(_LOUDNESS)), s.rank))
        return (*culprits, *(s.rank for s in odd))

    def proof(self, rank: int, group: str | None = None) -> Evidence | None:
        """The line that says most about a rank: the verdict's own for a culprit, else its error, else its last."""
        verdict = self.report.verdict
        if rank in verdict.culprit_ranks:
            cited = [e for e in (verdict.first_evidence, *verdict.supporting) if e is not None]
            own = next((e for e in cited if e.rank == rank), None)
            if own or cited:
                return own or cited[0]
        return self._own_line(rank, group)

    def _own_line(self, rank: int, group: str | None) -> Evidence | None:
        state = self.states.get(rank)
        if state is None:
            return None
        in_group = self.state_in(rank, group)
        ended = state.exit.evidence if state.exit else None
        seen = in_group.evidence if in_group else None
        ordered = (seen, state.first_error) if group is not None else (state.first_error, seen)
        return next((e for e in (*ordered, ended, state.last_words) if e is not None), None)

    @cached_property
    def path(self) -> tuple[CausePlace, ...]:
        """The cause chain as lines to step along, from the trigger on."""
        return cause_path(self.report)

    @cached_property
    def events(self) -> tuple[TimelineEvent, ...]:
        """The timeline's events, those without a time last."""
        return tuple(sorted(self.report.timeline, key=lambda e: (e.time is None, e.time or 0.0)))

    @cached_property
    def walks(self) -> Walks:
        """Lines to go along."""
        return Walks(self.report, self.case, self.facts)

    @cached_property
    def event_places(self) -> dict[tuple[str, int], int]:
        """Where in `events` a line is, if it is an event."""
        return {(e.file, e.line): n for n, e in reversed(tuple(enumerate(self.events)))}

    @cached_property
    def inherited_places(self) -> frozenset[tuple[str | None, int | None]]:
        """Events and cited lines whose time is a neighbouring line's."""
        cited = {(e.file, e.line) for _, e in citations(self.report) if e.inherited}
        return frozenset(cited | {(e.file, e.line) for e in self.events if e.inherited})

    @cached_property
    def event_times(self) -> list[float]:
        """The times of the events that have one, ascending; they are the first ones of `events`."""
        return [e.time for e in self.events if e.time is not None]

    @cached_property
    def events_by_source(self) -> dict[str, tuple[TimelineEvent, ...]]:
        """The timeline's events per source."""
        return _grouped((e.source, e) for e in self.events)

    @cached_property
    def events_by_rank(self) -> dict[int, tuple[TimelineEvent, ...]]:
        """The timeline's events per rank."""
        return _grouped((e.rank, e) for e in self.events if e.rank is not None)

    @cached_property
    def citations(self) -> dict[str, dict[int, str]]:
        """Per file, the cited lines and what each is cited for."""
        cited: dict[str, dict[int, str]] = {}
        for what, evidence in citations(self.report):
            cited.setdefault(evidence.file, {}).setdefault(evidence.line, what)
        return cited

    @cached_property
    def cited_texts(self) -> dict[str, dict[int, str]]:
        """Per file, the cited lines with what each is cited as saying."""
        cited: dict[str, dict[int, str]] = {}
        for _, evidence in citations(self.report):
            cited.setdefault(evidence.file, {}).setdefault(evidence.line, evidence.text)
        return cited

    @cached_property
    def evidence_count(self) -> int:
        """Distinct lines the verdict and its chain rest on."""
        verdict = self.report.verdict
        cited = [verdict.first_evidence, *verdict.supporting, *(place.evidence for place in self.path)]
        return len({e.place for e in cited if e is not None})

    def rank_of_file(self, name: str) -> int | None:
        """The rank that wrote a file, where exactly one did."""
        return self._sole_writers.get(name)

    @cached_property
    def _sole_writers(self) -> dict[str, int]:
        writers: dict[str, set[int]] = {}
        for state in self.report.ranks:
            for name in state.files:
                writers.setdefault(name, set()).add(state.rank)
        return {name: min(ranks) for name, ranks in writers.items() if len(ranks) == 1}


def _grouped(pairs: Iterable[tuple[Key, TimelineEvent]]) -> dict[Key, tuple[TimelineEvent, ...]]:
    groups: dict[Key, list[TimelineEvent]] = {}
    for key, event in pairs:
        groups.setdefault(key, []).append(event)
    return {key: tuple(events) for key, events in groups.items()}

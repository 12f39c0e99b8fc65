"""What the panes look up in a report."""

from __future__ import annotations

from dataclasses import replace

from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.model.report import Coverage, GroupState, JobFacts, RankState, Report, Verdict
from logtui.tui.shared.case_view import CaseView


def report(*ranks: RankState, expected: int | None = None, missing: tuple[int, ...] = (), **verdict: object) -> Report:
    """A report of which only the ranks matter."""
    coverage = Coverage(ranks_expected=expected, ranks_missing=missing)
    said = Verdict("unknown", "undecided", "low", **verdict)  # type: ignore[arg-type]
    return Report("0", JobFacts(), coverage, said, ranks=ranks)


def line(n: int, rank: int | None = None) -> Evidence:
    return Evidence("a.log", n, f"line {n}", rank=rank)


def test_ranks_nobody_wrote_for_are_silent() -> None:
    view = CaseView(report(RankState(1, status="waiting"), expected=4, missing=(6,)))
    assert view.ranks == (0, 1, 2, 3, 6)
    assert [view.status(rank) for rank in view.ranks] == ["silent", "waiting", "silent", "silent", "silent"]


def test_culprits_come_first_then_the_loudest() -> None:
    states = [RankState(n, status="waiting") for n in range(5)]
    states += [RankState(5, status="exited"), RankState(6, status="crashed"), RankState(7, status="behind")]
    assert CaseView(report(*states, culprit_ranks=(3,))).outliers == (3, 7, 6, 5)


def test_nobody_is_odd_in_a_healthy_job() -> None:
    assert CaseView(report(*(RankState(n, status="healthy") for n in range(8)))).outliers == ()


def test_a_culprit_is_proved_by_the_verdict_s_own_line() -> None:
    state = RankState(3, status="behind", last_words=line(9, 3))
    assert CaseView(report(state, culprit_ranks=(3,), first_evidence=line(4))).proof(3) == line(4)
    cited = CaseView(report(state, culprit_ranks=(2, 3), first_evidence=line(4, 2), supporting=(line(5, 3),)))
    assert cited.proof(3) == line(5, 3)


def test_other_ranks_are_proved_by_their_error_their_state_or_their_last_words() -> None:
    group = GroupState("0", status="waiting", evidence=line(2))
    state = RankState(1, groups=(group,), last_words=line(3))
    assert CaseView(report(state)).proof(1) == line(2)
    assert CaseView(report(replace(state, first_error=line(1)))).proof(1) == line(1)
    assert CaseView(report(replace(state, first_error=line(1)))).proof(1, "0") == line(2)
    assert CaseView(report(replace(state, groups=()))).proof(1) == line(3)
    assert CaseView(report(state)).proof(77) is None


def test_a_rank_outside_a_group_is_absent_there() -> None:
    view = CaseView(report(RankState(1, status="waiting", groups=(GroupState("tp", status="waiting"),)), RankState(2)))
    assert view.status(1, "tp") == "waiting"
    assert view.status(2, "tp") == "absent"


def test_groups_with_odd_ranks_come_first() -> None:
    calm, odd = GroupState("0", "default_pg", status="waiting"), GroupState("7", "tp", status="behind")
    view = CaseView(report(RankState(1, groups=(calm, odd)), RankState(2, groups=(calm,))))
    assert view.groups == ("7", "0")
    assert view.group_label("7") == "7 tp"
    assert view.group_label(None) == "all groups"


def test_usual_counters_are_those_of_most_ranks() -> None:
    states = [RankState(n, groups=(GroupState("0", enqueued=5, completed=4),)) for n in range(3)]
    states.append(RankState(9, groups=(GroupState("0", enqueued=4, completed=4),)))
    assert CaseView(report(*states)).usual_counters == {"0": (5, 4)}


def test_each_cited_line_says_what_for(view: CaseView) -> None:
    assert view.citations["error-4821-7.out"][402] == "proves the verdict"
    assert view.citations["error-4821-0.out"][401].startswith("cause 2/3")


def test_the_path_is_the_chain_line_by_line(view: CaseView) -> None:
    assert [place.step for place in view.path] == [1, 2, 3]
    assert view.path[0].why == "cause 1/3: rank 57 stalls while it opens a shard"


def test_events_without_a_time_come_last(view: CaseView) -> None:
    timeless = replace(view.events[0], time=None)
    shown = CaseView(replace(view.report, timeline=(timeless, *view.report.timeline)))
    assert shown.events[-1] is timeless
    assert len(shown.event_times) == len(shown.events) - 1


def test_a_file_of_one_rank_names_its_writer() -> None:
    view = CaseView(report(RankState(1, files=("r1.log", "all.log")), RankState(2, files=("all.log",))))
    assert view.rank_of_file("r1.log") == 1
    assert view.rank_of_file("all.log") is None

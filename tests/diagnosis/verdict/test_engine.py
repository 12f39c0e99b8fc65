"""How claims compete."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import pytest

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.evidence import Evidence
from logtui.diagnosis.rules.ranking import Rung
from logtui.diagnosis.verdict import engine
from logtui.diagnosis.verdict.diagnose import report_on
from logtui.diagnosis.verdict.engine import Decision, all_rules, confidence, decide
from logtui.diagnosis.verdict.rule import Claim, Maturity, Rule
from logtui.parsers.pattern import FailureClass as C

FactsOf = Callable[[Mapping[str, str]], Facts]


def rule(*claims: Claim, maturity: Maturity = "stable", last_resort: bool = False) -> Rule:
    def find(_facts: Facts) -> Iterator[Claim]:
        yield from claims

    return Rule("test", "a rule", "it says so", "nothing", "nothing", find, maturity=maturity, last_resort=last_resort)


def claim(at: float, strength: int, cls: C = C.SOFTWARE, refuted: str = "", direct: bool = False) -> Claim:
    evidence = Evidence("job.log", int(at), "a line")
    return Claim(f"{cls} at {at}", cls, evidence, (at, 0, int(at)), Rung(strength), refuted=refuted, direct=direct)


@pytest.fixture
def facts(facts_of: FactsOf) -> Facts:
    return facts_of({"job.log": "nothing to see\n"})


def decided(facts: Facts, *claims: Claim) -> Decision:
    return decide(facts, [rule(*claims)])


def test_the_earlier_of_two_alike_wins(facts: Facts) -> None:
    decision = decided(facts, claim(20, 60), claim(10, 60))
    assert decision.winner is not None and decision.winner.claim.order[0] == 10


def test_a_far_more_specific_one_overtakes(facts: Facts) -> None:
    decision = decided(facts, claim(10, 50), claim(20, 80, C.GPU_HARDWARE))
    assert decision.winner is not None and decision.winner.claim.cls is C.GPU_HARDWARE
    assert decision.losers[0][1].startswith("earlier but far weaker")


def test_a_refuted_claim_loses_and_says_why(facts: Facts) -> None:
    decision = decided(facts, claim(10, 90, refuted="training went on after it"), claim(20, 50))
    assert decision.winner is not None and decision.winner.claim.strength == 50
    assert decision.losers[0][1] == "training went on after it"


@pytest.mark.parametrize(("others", "winner"), [(50, 50), (30, 45)])
def test_the_last_resort_is_asked_where_nobody_else_claims(facts: Facts, others: int, winner: int) -> None:
    decision = decide(facts, [rule(claim(5, 45), last_resort=True), rule(claim(10, others))])
    assert decision.winner is not None and decision.winner.claim.strength == winner


def test_thin_evidence_decides_nothing(facts: Facts) -> None:
    decision = decided(facts, claim(10, 30))
    assert decision.winner is None and confidence(decision) == "low"


@pytest.mark.parametrize(
    ("claims", "word"),
    [
        pytest.param([claim(10, 80, direct=True)], "high", id="direct and alone"),
        pytest.param([claim(10, 80)], "medium", id="inferred"),
        pytest.param([claim(10, 80, direct=True), claim(20, 80, C.NETWORK)], "medium", id="a rival as strong"),
        pytest.param(
            [claim(10, 80, direct=True), claim(20, 80, C.NETWORK, refuted="no")], "high", id="a refuted rival"
        ),
        pytest.param([claim(10, 45, direct=True)], "low", id="weak"),
    ],
)
def test_confidence(facts: Facts, claims: list[Claim], word: str) -> None:
    assert confidence(decided(facts, *claims)) == word


@pytest.mark.parametrize(("maturity", "word"), [("stable", "high"), ("tried", "medium"), ("experimental", "low")])
def test_a_young_rule_is_never_sure(facts: Facts, maturity: Maturity, word: str) -> None:
    assert confidence(decide(facts, [rule(claim(10, 95, direct=True), maturity=maturity)])) == word


def test_every_rule_says_what_it_needs_and_what_refutes_it() -> None:
    rules = all_rules()
    assert len({r.id for r in rules}) == len(rules) >= 8
    assert all(r.title and r.claim and r.needs for r in rules)


def broken(_facts: Facts) -> Iterator[Claim]:
    yield claim(5, 90, direct=True)
    raise ValueError("min() of nothing")


def test_a_rule_that_fails_costs_its_own_claims(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "TOLERANT", True)
    sure, failing = rule(claim(10, 90, direct=True)), replace(rule(), id="failing", find=broken)
    decision = decide(facts, [failing, sure])
    assert decision.winner is not None and decision.winner.claim.order[0] == 10
    assert decision.broken == ("failing: ValueError: min() of nothing",)
    assert (confidence(decide(facts, [sure])), confidence(decision)) == ("high", "medium")


def test_a_report_says_which_rule_failed(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "TOLERANT", True)
    monkeypatch.setattr(engine, "all_rules", lambda: (replace(rule(), id="failing", find=broken),))
    missing = report_on(facts).verdict.missing
    assert any("failing: ValueError: min() of nothing" in what for what in missing)
    assert all(what.isprintable() for what in missing)


def test_tests_get_the_error_itself(facts: Facts) -> None:
    with pytest.raises(ValueError, match="min"):
        decide(facts, [replace(rule(), find=broken)])

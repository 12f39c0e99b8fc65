"""Who wrote lines that differ in digits alone: as if each were asked by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.facts import speakers as module
from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.speakers import Speakers
from logtui.parsers.prefix.template import rough_key

FactsOf = Callable[[Mapping[str, str]], Facts]
JOB = "".join(f"[rank{n}]: RuntimeError: coil {n} is out\n" for n in range(12))
LINES = [
    text.format(n=n).encode()
    for n in (1, 3, 7, 3, 11)
    for text in (
        "[rank{n}]: read batch {n}",
        "{n}: read batch {n}",
        "node{n}:{n}{n}:57 [{n}] NCCL INFO ready",
        "█ Rank {n}: loading",
        "nobody in particular read {n}",
        "\x1b[3{n}m[rank{n}]: in colour\x1b[0m",
    )
]


@pytest.mark.parametrize("most", [1 << 14, 1])
def test_of_those_that_name_their_writer_alike_one_is_asked(
    facts_of: FactsOf, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(module, "MOST", most)
    facts = facts_of({"job.log": JOB})
    file, ranks = facts.case.files[0], frozenset(facts.all_ranks)
    masks = [*dict.fromkeys(map(rough_key, LINES))]
    kinds = [masks.index(rough_key(raw)) for raw in LINES]
    speakers = Speakers(facts.identity, ranks)
    for _ in range(2):
        found = speakers.of_kinds(file, LINES, masks, kinds)
        assert found == [Speakers(facts.identity, ranks).of(file, raw) for raw in LINES]
    assert {1, 3, 7, 11, -1} <= {*found}

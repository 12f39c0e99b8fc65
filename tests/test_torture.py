"""The short form of `make torture`: hostile inputs of every kind, none of which ends, stalls or speaks through it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import mutations
import pytest
import torture

from logtui.tui import cli

CASES = range(20)


@pytest.mark.parametrize("seed", [18, 19])
def test_hostile_inputs(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torture, "FAULTS", torture.FAULTS[seed % 2 :: 8])
    campaign = torture.Campaign(seed)
    campaign.run(CASES, tmp_path)
    assert [f"case {t.case}: {t.what}" for t in campaign.found] == []
    assert set(campaign.kinds) <= set(torture.KINDS)


def test_what_must_not_be_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("x")
    unread = '{"coverage": {"files": 0, "files_unread": []}}'
    assert list(torture._wrong(1, unread, "", tmp_path)) == ["1 files, of which 0 are read and 0 are not"]
    assert list(torture._wrong(0, "", "", tmp_path)) == ["exit status 0 with 0 characters"]
    assert any("\\x1b" in what for what in torture._wrong(2, "", "\x1b[31m", tmp_path))
    assert list(torture._wrong(2, "", f"logtui: {cli.PLEASE_REPORT}: x", tmp_path))


@pytest.mark.parametrize("mutation", mutations.MUTATIONS, ids=lambda m: m.__name__)
def test_a_case_is_told_by_its_number(mutation: mutations.Bytes) -> None:
    data = b"".join(b"2026-01-02 03:04:05 step %d loss 2.31\n" % step for step in range(50))
    once, again = (mutation(Random(7), data) for _ in range(2))
    assert once == again != data

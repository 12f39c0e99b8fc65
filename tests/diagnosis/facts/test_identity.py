"""Whose line it is, where several numbers stand before it that do not agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from logtui.diagnosis.facts.identity import Identity, group_by_host, identify, node_key
from logtui.parsers.files.case import Case
from logtui.parsers.files.discover import discover
from logtui.parsers.prefix.origin import Origin, RankFrom
from logtui.parsers.records.record import Record
from logtui.parsers.scan.sweep import Sweep
from logtui.parsers.source import NameHints

CaseOf = Callable[[str], Case]
LINE = "2: [default1]:node007:4242:4542 [1] NCCL WARN Timeout waiting for a connection\n"
BY_PID, BY_LOCAL, BY_TASK, BY_FILE = 3, 5, 7, 9
ORDER = [
    ("by_pid", BY_PID, RankFrom.PID),
    ("by_local", BY_LOCAL, RankFrom.LOCAL),
    ("by_task", BY_TASK, RankFrom.TASK),
    ("by_file", BY_FILE, RankFrom.FILE),
]
"""The maps that may know a line's rank, in the order they are believed."""


@pytest.fixture
def case_of(tmp_path: Path) -> CaseOf:
    """The records of one file."""

    def read(text: str) -> Case:
        (tmp_path / "job.log").write_text(text)
        run = Sweep(discover([tmp_path / "job.log"]), jobs=1)
        list(run.run())
        return run.case()

    return read


@pytest.fixture
def record(case_of: CaseOf) -> Record:
    """A line with a task label, a local rank, a host and a process id, and no global rank."""
    (found,) = case_of(LINE).records
    assert (found.task, found.local_rank, found.host, found.pid, found.rank) == (2, 1, "node007", 4242, None)
    return found


@pytest.fixture
def identity(case_of: CaseOf, record: Record) -> Identity:
    """Maps that each say another rank for it."""
    case = case_of(LINE)
    local = {(node_key(case.files[0], record), 1): BY_LOCAL}
    return Identity(case, {0: BY_FILE}, {("node007", 4242): BY_PID}, {}, local, {2: BY_TASK})


def without(identity: Identity, *maps: str) -> Identity:
    empty: dict[str, object] = {name: {} for name in maps}
    return replace(identity, _resolved={}, _firsts={}, **empty)  # type: ignore[arg-type]


@pytest.mark.parametrize("believed", range(len(ORDER) + 1))
def test_each_number_is_believed_before_the_next(identity: Identity, record: Record, believed: int) -> None:
    left = without(identity, *(name for name, _, _ in ORDER[:believed]))
    expected = ORDER[believed][1:] if believed < len(ORDER) else (None, RankFrom.NONE)
    assert left.rank_of(record) == expected
    assert left.rank_of(record) == expected, "asked again"


@pytest.mark.parametrize("believed", range(3))
def test_a_line_that_is_no_record_is_judged_alike(identity: Identity, believed: int) -> None:
    left = without(identity, *(name for name, _, _ in ORDER[:believed]))
    origin = Origin(host="node007", pid=4242, local_rank=1, task=2)
    file = identity.case.files[0]
    assert left.rank_of_origin(file, origin) == ORDER[believed][1]
    assert left.rank_of_origin(file, replace(origin, rank=0)) == 0


def test_a_process_is_known_by_its_pid_before_its_local_rank(identity: Identity, record: Record) -> None:
    assert identity.rank_of_process(record, 1, 4242) == BY_PID
    assert identity.rank_of_process(record, 1, 4243) == BY_LOCAL
    assert identity.rank_of_process(record, None, 4243) is None


def test_a_pid_of_that_host_is_believed_before_one_of_any(identity: Identity, record: Record) -> None:
    both = replace(identity, by_any_pid={4242: 11})
    assert both.rank_of(record)[0] == BY_PID
    assert without(both, "by_pid").rank_of(record) == (11, RankFrom.PID)


def test_one_local_rank_tells_those_of_its_node(identity: Identity, record: Record) -> None:
    key = node_key(identity.case.files[0], record)
    several = replace(without(identity, "by_pid"), by_local={(key, 0): 8, (key, 3): 11})
    assert several.rank_of(record) == (9, RankFrom.LOCAL)
    torn = replace(several, _resolved={}, _firsts={}, by_local={(key, 0): 8, (key, 3): 10})
    assert torn.rank_of(record) == (BY_TASK, RankFrom.TASK)
    early = replace(several, _resolved={}, _firsts={}, by_local={(key, 3): 2})
    assert early.rank_of(record) == (BY_TASK, RankFrom.TASK), "no node begins below rank 0"
    first = replace(several, _resolved={}, _firsts={}, by_local={(key, 3): 3})
    assert first.rank_of(record) == (1, RankFrom.LOCAL), "the first node begins at 0"


def test_a_host_is_told_by_the_line_then_its_rank_then_its_task_then_its_file(case_of: CaseOf) -> None:
    case = case_of("2: urllib3 WARNING Connection reset by peer\n")
    (record,) = case.records
    assert (record.host, record.task) == (None, 2)
    file = replace(case.files[0], hints=NameHints(host="node003"))
    known = Identity(replace(case, files=(file,)), by_task={2: 7}, hosts={7: "node001"}, task_hosts={2: "node002"})
    assert known.host_of(record) == "node001"
    assert replace(known, hosts={}).host_of(record) == "node002"
    assert replace(known, hosts={}, task_hosts={}).host_of(record) == "node003"


def test_ranks_of_a_host_are_in_order(identity: Identity) -> None:
    known = replace(identity, hosts={9: "node001", 1: "node001", 4: "node002"})
    assert known.ranks_on("node001") == (1, 9)
    assert group_by_host(known) == {"node001": [1, 9], "node002": [4]}


def test_an_attempt_knows_whose_files_these_are_from_the_whole(case_of: CaseOf) -> None:
    """But for a rank that it has seen in another file."""
    case = case_of(LINE)
    assert identify(case, Identity(case, by_file={0: 57})).by_file == {0: 57}
    assert identify(case, Identity(case, by_file={0: 57, 1: 57})).by_file == {0: 57}
    assert identify(case).by_file == {}

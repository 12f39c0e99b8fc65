"""Which ranks a file tells of, in whatever words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.facts.rank_wordings import WORDINGS, Wording
from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]


@pytest.mark.parametrize("wording", WORDINGS, ids=[w.sample[:30] for w in WORDINGS])
def test_samples(wording: Wording) -> None:
    assert [int(m[1]) for m in wording.regex.finditer(wording.sample)] == [wording.means]


def _each(line: str, count: int = 4) -> str:
    return "".join(line.format(n) + "\n" for n in range(count))


@pytest.mark.parametrize(
    ("text", "seen", "world_size"),
    [
        (_each("Rank {}: loading the data set"), 4, 4),
        (_each("[RANK {}] ready", 2), 2, 2),
        (_each("{0} - Global rank    : {0}"), 4, 4),
        (_each("06/18/2031 02:31:42 - INFO - Process index: {}"), 4, 4),
        (_each("LOCAL_RANK: {} - CUDA_VISIBLE_DEVICES: [0,1]", 2), 2, 2),
        (_each("train.py: error: unrecognized arguments: --local-rank={}", 3), 3, 3),
        (_each("trainer/0 [{}]:[W socket.cpp:558] [c10d] no answer yet", 2), 2, 2),
        ("ranks differ. Rank 1 is running an all-reduce, but Rank 0 is running a broadcast\n", 2, 2),
        (_each("my rank is: {}", 2) * 2 + "my rank is:my rank is:  10\n", 2, 2),
        (_each("[1,{}]<stdout>:ready"), 4, 4),
        ("[1,2]<stderr>:no answer\nmpirun noticed a thing\n", 1, None),
        ("[launch.py:163:main] global_rank_mapping=defaultdict(<class 'list'>, {'localhost': [0, 1, 2]})\n", 3, 3),
        ("[rank5]:[W socket.cpp:432] [c10d] no answer yet\n", 1, None),
        ("Rank 0: ready\nRank 3: no such\n", 1, None),
        (_each("job name = worker\ntask index = {}", 2), 2, 2),
        ("".join(f"Launching process for local_rank({n}), global_rank({n + 4})\n" for n in range(2)), 2, None),
        ("".join(f"algo-1:6{n}:16{n} [{n}] configure_nvls_option:293 NCCL WARN NET/OFI no symbol\n" for n in range(2)), 2, 2),
        ("\tlocal_ranks=[0, 1]\n\tassigned global_ranks=[2, 3]\n", 2, None),
        ("".join(f"  rank      : {n} (local_rank: {n})\n" for n in (2, 3)), 2, None),
        ("Duplicate GPU detected : rank 1 and rank 5 both on CUDA device 7000\n", 2, None),
        ("world_size: 4\nRank 1: ready\nRank 3: ready\nRank 64: no such\n", 2, 4),
        (_each("Fri Jan  2 03:04:05 2026[1,{}]<stdout>:ready"), 4, 4),
        ("World size is 8\nRank is 3\n", 1, 8),
        (_each("init rank : {} on its device", 9).replace("init rank : 0", "init"), 8, None),
        (_each("rank_id => {}"), 4, 4),
        (_each("of rank ({}) worker (0)"), 4, 4),
    ],
    ids=["words", "brackets", "columns", "index", "lightning", "arguments", "torchx", "mpirun", "one of mpirun", "DeepSpeed", "two in a line", "glued", "one head", "the first one", "tasks", "Composer's", "NCCL's functions", "torchelastic's list", "torchrun's list", "NCCL's pair", "below the size", "mpirun with times", "one of many", "all but the first", "arrows", "parentheses"],
)  # fmt: skip
def test_ranks_that_are_heard_of(text: str, seen: int, world_size: int | None, report_of: ReportOf) -> None:
    report = report_of({"train.log": text})
    assert (report.coverage.ranks_seen, report.job.world_size) == (seen, world_size)


@pytest.mark.parametrize(
    "text",
    [
        _each("node rank: {}"),
        _each("lora rank = {}"),
        _each("Rank {}: 91.2%"),
        _each("hidden_rank={}"),
        "Rank 1: ready\nRank 3: ready\n",
        "Rank 1: ready\nRank 2: ready\n",
        'print(f"rank {rank}: 0 {self.rank} rank 1")\n',
    ],
    ids=["nodes", "adapters", "scores", "other names", "gaps", "two without the first", "source"],
)
def test_numbers_that_are_no_ranks_of_a_job(text: str, report_of: ReportOf) -> None:
    report = report_of({"train.log": text})
    assert (report.coverage.ranks_seen, report.job.world_size) == (0, None)


def test_files_that_say_who_they_are_each(report_of: ReportOf) -> None:
    """Each its own, and no two the same: there are so many, though nothing says how many there should be."""
    for ranks, seen in (((2, 3, 5), 3), ((2, 2, 5), 0)):
        files = {f"app-{n}.log": f"Backend is gloo\nRank is {rank}\n" for n, rank in enumerate(ranks, 1)}
        assert report_of(files).coverage.ranks_seen == seen


def test_as_many_files_as_there_are(report_of: ReportOf) -> None:
    files = {
        f"{'abcdefghijklmnopqrst'[n]}.log": f"comm is {57 + n}\nrank   : {n:02d}\nsize   : 20\n" for n in range(20)
    }
    assert report_of(files).coverage.ranks_seen == 20


def test_the_one_file_of_a_rank_that_all_write_into(report_of: ReportOf) -> None:
    said = _each("world_size: 4\nINFO: Saving model checkpoint to output on rank {}")
    assert report_of({"rank_0.log": said}).coverage.ranks_seen == 4


def test_who_is_heard_of_is_not_missing(report_of: ReportOf) -> None:
    text = "[rank0]: Traceback (most recent call last):\n[rank0]: ValueError: 7\n"
    files = {"rank_0.log": text, "driver.log": "world_size: 3\n" + _each("Rank {}: ready", 3)}
    coverage = report_of(files).coverage
    assert (coverage.ranks_seen, coverage.ranks_missing) == (3, ())


@pytest.mark.parametrize(
    ("names", "seen"),
    [
        (["server.log", "client1.log", "client2.log", "client3.log"], 3),
        (["learner.log", "actor_0.log", "actor_1.log"], 2),
        (["client_client_1_20260102.log", "client_client_2_20260102.log"], 2),
        (["run_1.log", "run_2.log"], 0),
        (["client1.log"], 0),
        (["server0.log", "client1.log", "client2.log"], 3),
        (["log.txt.rank1", "log.txt.rank2"], 2),
    ],
    ids=["clients", "actors", "with a date", "runs", "one", "beside a server", "not the first"],
)
def test_processes_with_a_file_each(names: list[str], seen: int, report_of: ReportOf) -> None:
    said = "2026-01-02 03:04:05 INFO starts\n2026-01-02 03:04:09 INFO waits for the others\n"
    assert report_of(dict.fromkeys(names, said)).coverage.ranks_seen == seen


@pytest.mark.parametrize(("ranks", "seen"), [((0, 2, 3), 3), ((1, 2, 4), 0)], ids=["with the first", "a list's places"])
def test_labels_of_which_some_are_missing(ranks: tuple[int, ...], seen: int, report_of: ReportOf) -> None:
    text = "".join(f"[Rank {rank}] batch 57 is here\n" for rank in ranks)
    assert report_of({"job.log": "the job begins\n" + text}).coverage.ranks_seen == seen


def test_places_of_a_ranking_are_no_ranks() -> None:
    assert not any(w.regex.search("Rank  2 | Prob: 0.7551 | a word") for w in WORDINGS)

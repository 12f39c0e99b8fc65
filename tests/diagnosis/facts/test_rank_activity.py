"""Numbers of single ranks, their own last words, and how they are divided for parallelism."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.facts.last_words import DATA_WORDS, last_words, last_words_by_file, parts_of
from logtui.diagnosis.facts.parallel import dimension_name, dimensions
from logtui.diagnosis.facts.rank_activity import rank_activity
from logtui.diagnosis.session.opening import Analysis

Facts_of = Callable[[Mapping[str, str]], Facts]
NEAR = 1_795_234_329.0
"""2026-11-21 04:12:09."""


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("TENSOR_MODEL_PARALLEL_GROUP", "TP"), ("PIPELINE_MODEL_PARALLEL_GROUP", "PP"), ("mesh_dp_shard", "DP"),
        ("DATA_PARALLEL_GROUP_WITH_CP", "DP"), ("tensor model", "TP"), ("EXPERT_MODEL_PARALLEL_GROUP", "EP"),
        ("default_pg", None), ("TENSOR_AND_DATA_PARALLEL_GROUP", None), ("", None), (None, None),
    ],
)  # fmt: skip
def test_names_of_groups_tell_the_dimension(description: str | None, name: str | None) -> None:
    assert dimension_name(description) == name


def megatron(tensor: int, pipeline: int, world: int) -> str:
    sizes = {"world_size": world, "tensor_model_parallel_size": tensor, "pipeline_model_parallel_size": pipeline}
    lines = [f"  {name} {'.' * (50 - len(name))} {value}" for name, value in sizes.items()]
    ranks = [f"[rank{r}]: 2026-11-21 04:00:00 INFO up" for r in range(world)]
    return "\n".join(["------------------------ arguments ------------------------", *lines, *ranks]) + "\n"


def test_sizes_divide_the_ranks_in_the_usual_order(facts_of: Facts_of) -> None:
    found = {d.name: d.groups for d in dimensions(facts_of({"job.log": megatron(2, 2, 8)}))}
    assert found["TP"] == ((0, 1), (2, 3), (4, 5), (6, 7))
    assert found["DP"] == ((0, 2), (1, 3), (4, 6), (5, 7))
    assert found["PP"] == ((0, 4), (1, 5), (2, 6), (3, 7))


def test_sizes_that_do_not_divide_the_world_say_nothing(facts_of: Facts_of) -> None:
    assert dimensions(facts_of({"job.log": megatron(3, 2, 8)})) == ()


def test_listed_groups_go_before_sizes(facts_of: Facts_of) -> None:
    head = "[NeMo I 2026-11-21 04:00:00 megatron_init:310] "
    lists = [f"{head}Rank {r} has tensor model parallel group: [{r % 4}, {r % 4 + 4}]" for r in range(8)]
    found = {d.name: d for d in dimensions(facts_of({"job.log": megatron(2, 2, 8) + "\n".join(lists) + "\n"}))}
    assert found["TP"].groups == ((0, 4), (1, 5), (2, 6), (3, 7))
    assert found["TP"].known_from == "the groups' lines"


def stamped(rank: int, second: int, text: str) -> str:
    return f"[rank{rank}]: 2026-11-21 04:00:{second:02d},000 INFO train: {text}\n"


def test_own_words_stop_before_the_watchdog(analysed: Callable[[Mapping[str, str]], Analysis], lines: Any) -> None:
    text = stamped(0, 1, "read a batch") + stamped(1, 2, "opening shard-7") + lines.timeout(0) + lines.timeout(1)
    text += "[rank1]: frame #0: somewhere\n" + stamped(1, 59, "said after the alarm")
    found = analysed({"job.log": text})
    assert found.facts is not None
    words: dict[int, tuple[int, str]] = {}
    for part in last_words_by_file(found.facts.identity, found.report.ranks, NEAR):
        words |= {rank: (e.line, e.text.rsplit(": ", 1)[1]) for rank, e in part.items()}
    assert words == {0: (1, "read a batch"), 1: (2, "opening shard-7")}


_STARTED = "".join(
    f"[default{r}]:2026-11-21 04:00:00,000 INFO train: rank {r}/3 local_rank {r} host node000 pid {70 + r}\n"
    for r in range(3)
)


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("[default0]: 47%| it/s][default2]:2026-11-21 04:00:09,000 INFO opening shard-7",
         [(2, "[default2]:2026-11-21 04:00:09,000 INFO opening shard-7"), (0, "[default0]: 47%| it/s]")]),
        ("[default0]:INFO data[shard12]: opening", [(0, "[default0]:INFO data[shard12]: opening")]),
        ("[default1]:step 1[default1]:step 2", [(1, "[default1]:step 1[default1]:step 2")]),
    ],
    ids=["two ranks", "no rank's head", "one rank twice"],
)  # fmt: skip
def test_a_line_of_several_ranks_has_a_part_of_each(
    facts_of: Facts_of, line: str, parts: list[tuple[int, str]]
) -> None:
    assert parts_of(facts_of({"job.log": _STARTED + line}).identity, 0, line) == parts


def test_the_last_words_of_a_rank_may_be_glued_to_another_s(facts_of: Facts_of) -> None:
    glued = "[default0]: 47%| it/s][default2]:2026-11-21 04:00:09,000 INFO opening shard-7"
    identity = facts_of({"job.log": _STARTED + glued + "\n"}).identity
    said = {rank: last_words(identity, rank)[0] for rank in (0, 1, 2)}
    assert {rank: words.cited.line for rank, words in said.items()} == {0: 4, 1: 2, 2: 4}
    assert DATA_WORDS.search(said[2].text)
    assert not DATA_WORDS.search(said[0].text), "who reads data is the other one"
    assert said[2].cited.text == glued, "a citation is the line as it stands"


def test_own_words_are_dated_and_can_be_stopped(analysed: Callable[[Mapping[str, str]], Analysis]) -> None:
    found = analysed({"job.log": stamped(0, 1, "step 1") + stamped(1, 9, "step 1")})
    assert found.facts is not None
    told = list(last_words_by_file(found.facts.identity, found.report.ranks, NEAR))
    assert [e.time for e in told[0].values()] == [1_795_233_609.0, 1_795_233_601.0]
    assert list(last_words_by_file(found.facts.identity, found.report.ranks, NEAR, lambda: True)) == []


def test_step_times_and_last_lines_are_told_apart_by_rank(facts_of: Facts_of) -> None:
    lines = [
        f"[rank{r}]: 2026-11-21 04:00:{10 * step:02d} iteration {step}/ 100 | elapsed time per iteration (ms): {ms} |\n"
        for step in range(1, 5)
        for r, ms in ((0, 400.0), (1, 900.0))
    ]
    found = rank_activity(facts_of({"job.log": "".join(lines)}))
    assert found.step_ms == {0: 400.0, 1: 900.0}
    assert found.last_line == {0: 1_795_233_640.0, 1: 1_795_233_640.0}
    assert found.dumps == {}


def test_a_dump_that_was_written_but_not_given_is_known(facts_of: Facts_of) -> None:
    line = "[rank3]:[I1121 04:12:09.112358132 FlightRecorder.cpp:99] Finished writing Flight Recorder debug info to /t/d_3\n"
    assert rank_activity(facts_of({"job.log": line})).dumps == {3: "written"}


def test_no_records_no_numbers(facts_of: Facts_of) -> None:
    found = rank_activity(facts_of({"job.log": "nothing known\n"}))
    assert (found.last_line, found.step_ms, found.dumps) == ({}, {}, {})

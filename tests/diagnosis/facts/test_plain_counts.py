"""How far work went that nothing known counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logtui.diagnosis.facts.plain_counts import amount_done, bare_rows, epoch_table, lone_total, plain_count


def _each(line: str, numbers: range = range(5, 58)) -> list[str]:
    return [line.format(n) for n in numbers]


@pytest.mark.parametrize(
    ("end", "count"),
    [
        (_each("Current perturbation = {}"), 57),
        (_each("{},239.3,1.05,0.61"), 57),
        (_each("client 3 trace is:{}-forward1_2--forward2_3"), 57),
        (_each("2031-02-03 04:05:{:02d},123 INFO still here"), None),
        (_each("2031-02-03 04:05:06,123 INFO sweep {}0 is over"), 570),
        ([f"[00:{n // 60:02d}:{n % 60:02d} w{n % 8}] tree #{n}, likelihood -57.{n}" for n in range(1, 90)], 89),
        ([f"case/{n} {'ab'[n % 3 > 0]}: passed" for n in range(1, 58)], 57),
        ([f"iterations = {n % 9}" for n in range(58)] + ["iterations = 30"], 30),
        (_each("worker {} is up"), None),
        (_each("Killing subprocess 57{}"), None),
        (_each("loaded part {}"), None),
        (_each("the value is {}", range(9, 4, -1)), None),
        (_each("[2031-02-03T04:{:02d}:07.890+0500] {{runner.py:57}} INFO - still here"), None),
        ([line for n in range(9) for line in (f"-----{n}------", f"loss: 0.{97 - n}")], 8),
        ([line for n in (5, 7, 5) for line in (f"-----{n}------", "here")], None),
        (_each("it is {}% there"), None),
        (_each("at {} percent of all the recall is 0.57"), None),
        (_each("frame #{}: main + 0x57 in run57"), None),
        (_each("checkpoint shard {} is read"), None),
        (_each("handle defer: {}"), None),
        (_each("IoU class {} [fence] = 0.057"), None),
        (_each("  ({}): Linear(in_features=57, out_features=57)"), None),
        (_each("Seed: {}, model: a"), None),
        (_each("(norm1): BatchNorm2d({}, eps=1e-05)"), None),
        (_each("Test net output #{}: loss = 0.5"), None),
        (_each("port {}", range(3)), None),
        (["at 3", "at 57", "at 4", "at 90", "at 91", "at 400", "at 7"], None),
        ([], None),
    ],
)  # fmt: skip
def test_a_number_that_grows_evenly(end: list[str], count: int | None) -> None:
    assert plain_count(["words", *end, "more words"]) == count


def test_a_head_below_which_nothing_stands_is_not_counted() -> None:
    assert plain_count([line for n in range(9) for line in (f"-----{n}------", "here")][:-1]) == 7


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("[INFO] Processed instances 60", 60),
        ("处理完成，保存样本数量: 9076", 9076),
        ("57 images processed in 3 s", 57),
        ("wrote 1200 rows to out.csv", 1200),
        ("57 images are missing", None),
        ("all is done", None),
    ],
)
def test_an_amount_that_is_done(line: str, count: int | None) -> None:
    assert amount_done(["words", line, "saving"]) == count


def test_an_amount_far_from_the_end_is_none() -> None:
    assert amount_done(["57 images processed", *["words"] * 57]) is None


@pytest.mark.parametrize(
    ("line", "count"),
    [("[1/101] Task: 423a55dc (5 train, 1 test)", 1), ("(7 / 9) fitting", 7), ("[9/7] odd", None), ("[1/8] rank up", None),
     ("on [1/8] done", None)],
)  # fmt: skip
def test_the_one_line_that_begins_with_a_count(line: str, count: int | None) -> None:
    assert lone_total(["words", line, "  API call finished"]) == count


@given(st.lists(st.text(max_size=40), max_size=40))
def test_any_text(end: list[str]) -> None:
    for read in (plain_count, amount_done, lone_total):
        assert read(end) is None or read(end) in [int(n) for text in end for n in _numbers(text)]


def _numbers(text: str) -> list[str]:
    return [part for part in "".join(c if c.isdecimal() else " " for c in text).split() if part]


@pytest.mark.parametrize(
    ("end", "step"),
    [
        ([f"  {n}00   -49.3{n}   8  {n}23   0.18" for n in range(1, 58)], 5700),
        ([f"  {n}   -49.3{n}   8" for n in range(1, 58)], None),
        ([f"  {n}00   -49.3{n}   8" for n in range(1, 9)], None),
        ([f"  {n}00   -49.3{n}   8" for n in range(1, 58)] + ["words"] * 20, None),
        ([f"  {n * n}   -49.3{n}   8" for n in range(1, 58)], None),
    ],
    ids=["rows", "results", "few", "far from the end", "uneven"],
)
def test_rows_of_numbers_alone(end: list[str], step: int | None) -> None:
    assert bare_rows(["Covariance iteration 4", *end]) == step


@pytest.mark.parametrize(
    ("end", "step"),
    [
        ([f"{n}0: 0.0{part}57" for n in range(1, 58) for part in (1, 2)], 570),
        ([f"{n}: 0.0057" for n in range(1, 58)] + ["training completed"], 57),
        ([f"{n % 3}: 0.0057" for n in range(1, 58)], None),
        ([f"{n}: 0.0057" for n in range(1, 9)], None),
    ],
    ids=["of two parts", "a word behind", "back again", "few"],
)
def test_steps_that_say_their_loss_alone(end: list[str], step: int | None) -> None:
    assert bare_rows(["a model is read", *end]) == step


def test_what_the_scheduler_glued_to_a_count() -> None:
    said = [f"BB\t{n}" for n in range(1, 57)] + ["BB\t57slurmstepd: error: *** JOB 57 ON n7 CANCELLED ***"]
    assert plain_count(said) == 57


def test_what_was_done_in_all_goes_before_what_grows() -> None:
    assert plain_count([*_each("value {}"), "Total number of batches processed: 8"]) == 8


@pytest.mark.parametrize(
    ("head", "row", "epoch"),
    [
        ("Epoch\tTraining loss.\tVal acc.", " {}.5700e+02\t 1.18e+03\t 2.14e+02", None),
        ("1\t2\tepoch: % sumTest: % minTest: %", "1.00{}\t1.0057\t {}.0000e+00", 8),
        ("Epoch  loss", "{}  0.57", 8),
        ("loss  accuracy", "{}  0.57", None),
        ("Epoch  loss", "{} words", None),
    ],
    ids=["no column by one", "of Torch7", "whole numbers", "no epoch", "words"],
)
def test_a_table_with_an_epoch_in_each_row(head: str, row: str, epoch: int | None) -> None:
    rows = [row.replace("{}", str(n)) for n in range(2, 9)]
    assert epoch_table(["its words", head, *rows]) == epoch
    assert epoch_table([head, *rows, "and more words"]) is None


def test_a_framed_table_that_is_drawn_anew_with_each_epoch() -> None:
    def drawn(epochs: int) -> list[str]:
        rows = [f"|  {n}   |   0   | tensor(5.{n}, grad_fn=<Nll>)|" for n in range(epochs)]
        return ["+-----+", "|Epoch | Steps |       Loss      |", "|------+-------|", *rows, "+-----+"]

    assert epoch_table([*drawn(1), *drawn(2), *drawn(3), "the net is saved", "done 0"]) == 2

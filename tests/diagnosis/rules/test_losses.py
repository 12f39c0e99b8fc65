"""Losses that jump up for good, that only look so, and that a restart has forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random

import pytest

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]

SAVED = "  successfully saved checkpoint from iteration      60 to /ckpt/run7\n"
RESTART = (
    "[2026-11-21 05:30:00,166] torch.distributed.elastic.agent.server.api: [INFO] [default] Worker group FAILED. "
    "2/3 attempts left; will restart worker group\n"
)
PLAIN = "2026-11-21 {hour:02d}:{minute:02d}:{second:02d},000 INFO train: step {step} loss {loss:.4f} step_time 10.0s\n"
MEGATRON = (
    " [2026-11-21 {hour:02d}:{minute:02d}:{second:02d}] iteration {step:8d}/    5000 | elapsed time per iteration (ms): "
    "10000.0 | learning rate: 1.0E-04 | lm loss: {loss:.6E} | loss scale: 1.0 | grad norm: 1.5 |\n"
)


def lines(losses: Iterable[float], first: int = 1, hour: int = 4, text: str = PLAIN) -> str:
    """A step line for each loss, ten seconds apart."""
    return "".join(
        text.format(
            hour=hour + n * 10 // 3600,
            minute=n * 10 // 60 % 60,
            second=n * 10 % 60,
            step=first + n,
            loss=max(loss, 0.0),
        )
        for n, loss in enumerate(losses)
    )


def curve(count: int, noise: float = 0.05, begin: float = 8.0, level: float = 2.0) -> list[float]:
    """A loss that falls from its first value to its level, with noise."""
    rng = Random(count)
    return [level + (begin - level) * 0.9**n + rng.gauss(0, noise) for n in range(count)]


@pytest.mark.parametrize("text", [PLAIN, MEGATRON], ids=["plain", "megatron"])
@pytest.mark.parametrize("after", [12, 150])
def test_a_loss_that_jumps_and_stays(report_of: ReportOf, text: str, after: int) -> None:
    verdict = report_of({"run.log": lines(curve(200) + [7.0] * after, text=text)}).verdict
    assert (verdict.rule, verdict.cls) == ("loss-spike", "software")
    assert "at step 201" in verdict.title
    assert verdict.confidence != "high"
    assert verdict.culprit_ranks in ((), (0,))


@pytest.mark.parametrize(
    "losses",
    [
        curve(300),
        curve(300, noise=0.8),
        curve(200) + [7.0] * 20 + curve(100, begin=4.0),
        [*curve(200), 9.5, *curve(60, begin=2.0)],
        curve(200) + curve(100, begin=2.4, level=2.4),
        curve(200) + curve(100, begin=3.4, level=3.4),
        curve(200, begin=0.02, level=0.001, noise=0.0005) + [0.0] * 5,
        [0.1 + 0.01 * n for n in range(200)],
        curve(200) + [7.0] * 3,
    ],
    ids="falls noisy recovers one-batch other-data harder-data near-zero rises-slowly too-short".split(),
)
def test_a_loss_that_does_not(report_of: ReportOf, losses: list[float]) -> None:
    assert report_of({"run.log": lines(losses)}).verdict.cls == "healthy"


def test_a_restart_with_other_weights(report_of: ReportOf) -> None:
    before, after = lines(curve(80)), lines(curve(40, begin=7.5, level=6.0), 61, hour=6)
    verdict = report_of({"run.log": before + SAVED + RESTART + after}).verdict
    assert (verdict.rule, verdict.cls) == ("resumed-untrained", "software")
    assert "resumed at step 61" in verdict.title


def test_a_restart_that_goes_on_where_it_was(report_of: ReportOf) -> None:
    before, after = lines(curve(80)), lines(curve(40, begin=2.3), 61, hour=6)
    assert report_of({"run.log": before + SAVED + RESTART + after}).verdict.cls == "healthy"


def test_another_run_appended_hours_later_is_no_jump(report_of: ReportOf) -> None:
    earlier, later = lines(curve(100)), lines(curve(60, begin=9.0, level=6.5), hour=9)
    assert report_of({"nohup.out": earlier + later}).verdict.rule != "loss-spike"
    going_on = lines(curve(60, level=6.5), first=101, hour=9)
    assert report_of({"nohup.out": earlier + going_on}).verdict.rule == "loss-spike"


STAGED = "Epoch: {epoch}\tTime: {time:.4f}\tLoss: {loss:.4f}\tLearningRate 0.000157\n"


@pytest.mark.parametrize(("time", "expected"), [(2301.0, "healthy"), (1557.0, "software")], ids=["other", "same"])
def test_a_loss_of_another_phase_is_told_by_the_time_of_its_steps(
    time: float, expected: str, report_of: ReportOf
) -> None:
    """Larger inputs take longer, and have a loss of their own: neither is a fault."""
    rng = Random(57)
    first = (STAGED.format(epoch=n, time=1557 + rng.gauss(0, 20), loss=12.9 + 8 * 0.8**n) for n in range(1, 46))
    second = (STAGED.format(epoch=n, time=time + rng.gauss(0, 20), loss=25.7 - n / 200) for n in range(46, 92))
    assert report_of({"job.log": "".join([*first, *second])}).verdict.cls == expected


@pytest.mark.parametrize(("fall", "cls"), [(0.004, "healthy"), (0.0, "software")], ids=["it falls again", "it stays"])
def test_a_loss_that_is_another_one_from_a_line_on(fall: float, cls: str, report_of: ReportOf) -> None:
    behind = [12.5 - fall * n + 0.05 * (n % 3) for n in range(300)]
    assert report_of({"train.log": lines(curve(300, level=5.5) + behind)}).verdict.cls == cls


def test_a_jump_behind_much_else_is_another_parts(report_of: ReportOf) -> None:
    else_ = "".join(f"the {word} is fitted and rated\n" for word in "abcdefghijklmnopqrstuvwxyz")
    jump = lines([7.0] * 30, first=201)
    assert report_of({"run.log": lines(curve(200)) + else_ + jump}).verdict.cls == "healthy"
    assert report_of({"run.log": lines(curve(200)) + jump}).verdict.cls == "software"

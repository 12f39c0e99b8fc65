"""Lines that torchrun wrote twice, with `--tee` and `--log-dir`, count once."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.model.report import Report

ReportOf = Callable[[Mapping[str, str]], Report]
ASKED = (
    "2026-03-05 10:00:0{s} WARNING root: Retrying aistore.sdk.request_client.RequestClient.request in 1 seconds as it "
    "raised ConnectionError: HTTPConnectionPool(host='10.0.0.7', port=51081): Max retries exceeded with url: /v1/objects/a "
    "(Caused by NewConnectionError('refused'))\n"
)
TEED = {"error-7-0.out": "".join(f"[default{r}]:[rank{r}]: {ASKED.format(s=s)}" for s in range(3) for r in range(2))}
OWN = {
    f"logs/7_abcdefgh/attempt_0/{r}/stderr.log": "".join(f"[rank{r}]: {ASKED.format(s=s)}" for s in range(3))
    for r in range(2)
}


def retries(report: Report) -> tuple[int, dict[str, int], dict[int, int]]:
    (count,) = (c for c in report.counts if c.pattern == "ais.request_retry")
    return count.total, dict(count.by_file), dict(count.by_rank)


def test_the_same_lines_in_both_count_once_and_the_ranks_files_tell_whose(report_of: ReportOf) -> None:
    assert retries(report_of({**TEED, **OWN})) == (6, {"error-7-0.out": 6}, {0: 3, 1: 3})


def test_where_only_one_kind_is_there_nothing_is_left_out(report_of: ReportOf) -> None:
    assert retries(report_of(OWN))[0] == 6
    assert retries(report_of(TEED))[0] == 6


def test_what_the_launchers_output_lacks_counts_in_the_ranks_files(report_of: ReportOf) -> None:
    first = "".join(TEED["error-7-0.out"].splitlines(keepends=True)[:2])
    assert retries(report_of({"error-7-0.out": first, **OWN}))[0] == 8

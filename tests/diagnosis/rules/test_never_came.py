"""Who others gave up waiting for, where no watchdog counts operations: Gloo's time-outs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from logtui.diagnosis.facts.case_facts import Facts
from logtui.diagnosis.model.report import Report
from logtui.parsers.prefix.stamp import iso

FactsOf = Callable[[Mapping[str, str]], Facts]
ReportOf = Callable[[Mapping[str, str]], Report]
TIMED_OUT = """[rank{r}]: Traceback (most recent call last):
[rank{r}]:   File "/job/train.py", line 57, in <module>
[rank{r}]:     main()
[rank{r}]:   File "/job/train.py", line 41, in main
[rank{r}]:     dist.all_reduce(loss)
[rank{r}]:   File "/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py", line 2808, in all_reduce
[rank{r}]:     work.wait()
[rank{r}]: RuntimeError: [/opt/build/third_party/gloo/gloo/transport/tcp/{why}
"""
LIMIT = "unbound_buffer.cc:81] Timed out waiting 600000ms for recv operation to complete"
CLOSED = "pair.cc:553] Connection closed by peer [10.0.0.7]:5757"


def step(rank: int, doing: str) -> str:
    return f"[rank{rank}]: 2026-03-05 10:00:{rank:02} INFO {doing}\n"


def job(doing: Mapping[int, str], ends: Mapping[int, str]) -> dict[str, str]:
    said = "".join(step(r, "step 56 loss 2.6") for r in range(8))
    said += "".join(step(r, doing.get(r, "step 57 loss 2.5")) for r in range(8))
    return {"job.log": said + "".join(TIMED_OUT.format(r=r, why=why) for r, why in ends.items())}


def test_the_rank_that_did_not_wait_is_named(report_of: ReportOf) -> None:
    ends = {r: LIMIT if r < 3 else CLOSED for r in range(8) if r != 5}
    verdict = report_of(job({}, ends)).verdict
    assert (verdict.culprit_ranks, verdict.cls) == ((5,), "unknown")
    assert "600 s" in verdict.title


def test_what_it_did_instead_is_what_it_said_last(report_of: ReportOf) -> None:
    verdict = report_of(job({5: "opening shard-000057.tar"}, dict.fromkeys({*range(8)} - {5}, LIMIT))).verdict
    assert (verdict.culprit_ranks, verdict.cls) == ((5,), "data-loading-stall")
    assert verdict.first_evidence is not None and verdict.first_evidence.line == 14


def test_ranks_stopped_before_they_could_speak_are_told_apart_by_their_last_words(report_of: ReportOf) -> None:
    verdict = report_of(job({5: "opening shard-000057.tar"}, {0: LIMIT, 1: LIMIT})).verdict
    assert verdict.culprit_ranks == (5,)


def test_nobody_is_named_where_all_the_quiet_ones_are_alike(report_of: ReportOf) -> None:
    assert report_of(job({}, {0: LIMIT, 1: LIMIT})).verdict.culprit_ranks == ()


ASKED = (
    "root: Retrying aistore.sdk.request_client.RequestClient.request in {s} seconds as it raised ConnectionError: "
    "HTTPConnectionPool(host='10.0.0.7', port=51081): Max retries exceeded with url: /v1/objects/corpus/a.tar "
    "(Caused by ReadTimeoutError('pool: Read timed out. (read timeout=20)'))"
)


def test_a_rank_that_still_asks_storage_stalls_in_loading(report_of: ReportOf) -> None:
    """«in 2 seconds» is when it asks again, not the end of anything; the first failed request is where it began."""
    logs = job({5: ASKED.format(s=1)}, dict.fromkeys({*range(8)} - {5}, LIMIT))
    first, rest = logs["job.log"].split("[rank0]: Traceback", 1)
    logs["job.log"] = first + step(5, ASKED.format(s=2)).replace(":05 ", ":25 ") + "[rank0]: Traceback" + rest
    verdict = report_of(logs).verdict
    assert (verdict.culprit_ranks, verdict.cls) == ((5,), "data-loading-stall")
    assert verdict.first_evidence is not None and verdict.first_evidence.line == 14


def test_all_that_still_ask_storage_stall_where_only_one_spoke(report_of: ReportOf) -> None:
    """The launcher stops the others once the first has given up."""
    verdict = report_of(job({r: ASKED.format(s=1) for r in range(7)}, {7: LIMIT})).verdict
    assert (verdict.culprit_ranks, verdict.cls) == (tuple(range(7)), "data-loading-stall")
    assert "1 rank gave up waiting after 600 s" in verdict.title
    one_at_work = report_of(job({r: ASKED.format(s=1) for r in range(6)}, {7: LIMIT})).verdict
    assert one_at_work.culprit_ranks != tuple(range(7))


def test_a_launchers_label_is_enough_to_have_seen_a_rank(facts_of: FactsOf) -> None:
    """Rank 5 names itself nowhere; the labels of the others tell how the launcher counts."""
    logs = job({5: ASKED.format(s=1)}, dict.fromkeys({*range(8)} - {5}, LIMIT))
    lines = logs["job.log"].replace("[rank5]: ", "").splitlines()
    ranks = [line[5] if line.startswith("[rank") else "5" for line in lines]
    labelled = "".join(f"[default{rank}]:{line}\n" for rank, line in zip(ranks, lines, strict=True))
    assert facts_of({"error-7-0.out": labelled}).seen_ranks == tuple(range(8))


def test_a_wait_in_vain_is_the_failure_where_nothing_else_is(facts_of: FactsOf) -> None:
    """One rank gave up, the others were stopped: the minute before its limit is where storage is looked at."""
    ended = "W0305 10:12:00.000000 140737 torch/distributed/elastic/multiprocessing/api.py:900] Sending process 7 closing signal SIGTERM\n"
    logs = job({}, {3: LIMIT})
    window = facts_of({"job.log": logs["job.log"] + ended}).failure_window
    assert window is not None
    assert (window[1] - window[0], iso(window[1])) == (600.0, "2026-03-05T10:12:00")

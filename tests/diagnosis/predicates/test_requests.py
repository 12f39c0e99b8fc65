"""Requests that a service refused, of a program that sends others on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from logtui.diagnosis.model.report import Report
from logtui.diagnosis.predicates.requests import passed_requests

ReportOf = Callable[[Mapping[str, str]], Report]
CLOCK = "2026-01-02 03:04:{:02d},678 - "
REQUEST = CLOCK + 'INFO - HTTP Request: POST https://api.example.org/v1/chat/completions "HTTP/1.1 {} {}"\n'
COMPLAINT = CLOCK + "ERROR - Failed to get an answer: Error code: 400 - 57 tokens are too many\n"
ANSWER = CLOCK + "INFO - answer: the river 57\n"


def _log(*statuses: int) -> str:
    said = {200: ("OK", ANSWER), 400: ("Bad Request", COMPLAINT)}
    return "".join(
        REQUEST.format(n, status, said[status][0]) + said[status][1].format(n) for n, status in enumerate(statuses)
    )


@pytest.mark.parametrize(
    ("statuses", "passed"),
    [((200, 400, 200, 200), {3, 4, 5, 6}), ((200, 200, 400), set()), ((200, 400, 200), set()), ((200, 200), set())],
    ids=["answered later", "refused at last", "answered but once", "never refused"],
)
def test_lines_of_refused_requests(statuses: tuple[int, ...], passed: set[int]) -> None:
    assert passed_requests(enumerate(_log(*statuses).splitlines(), 1)) == passed


def test_a_program_whose_later_requests_were_answered(report_of: ReportOf) -> None:
    saved = CLOCK.format(57) + "INFO - saved the results to answers57.json\n"
    assert report_of({"eval.log": _log(200, 400, 200, 200, 200, 200) + saved}).verdict.cls == "healthy"
    assert report_of({"eval.log": _log(200, 200, 400)}).verdict.cls != "healthy"


def test_what_a_server_answered_to_wrong_requests(report_of: ReportOf) -> None:
    """And shut down in order, which its parent missed."""
    error = "ERROR 01-02 03:04:{:02d} [serving_chat.py:57] {}\n"
    said = (
        "Error in preprocessing prompt inputs",
        "Traceback (most recent call last):",
        '  File "/opt/py/lib/python3.11/site-packages/vllm/entrypoints/openai/serving_chat.py", line 57, in create_chat',
        "    raise ValueError(",
        "ValueError: 57 tokens are too many",
    )
    ends = (
        "(EngineCore pid=57) INFO 01-02 03:05:07 [core.py:57] Shutdown complete\n"
        "ERROR 01-02 03:05:08 [core_client.py:57] Engine core proc EngineCore died unexpectedly, shutting down client.\n"
    )
    for status, is_well in (("400 Bad Request", True), ("500 Internal Server Error", False)):
        answer = f'INFO:     127.0.0.1:57{{:02d}} - "POST /v1/chat/completions HTTP/1.1" {status}\n'
        log = "".join("".join(error.format(n, text) for text in said) + answer.format(n) for n in range(10, 15))
        assert (report_of({"server.log": "the model is there\n" + log + ends}).verdict.cls == "healthy") is is_well


def test_what_a_web_server_logs_is_no_complaint(report_of: ReportOf) -> None:
    line = '10.0.0.{0}:2046{0} - - [03/Feb/2031 04:05:0{0}] "HTTP/1.1 GET /" - 404 Not Found'
    logged = [line.format(n) for n in range(9)]
    assert passed_requests(enumerate(logged, 1)) == {*range(1, 10)}
    assert report_of({"nohup.out": "the hub is up\n" + "\n".join(logged) + "\n"}).verdict.cls == "healthy"

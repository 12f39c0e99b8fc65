"""The proxy's own time in clients' URLs: the workers' zone, and what their clock is off beyond it."""

from __future__ import annotations

import string
from pathlib import Path

import pytest

from logtui.diagnosis.storage.client import client_events
from logtui.diagnosis.storage.redirects import lead_of, redirects, sent_at
from logtui.parsers.files.case import Case
from logtui.parsers.files.discover import discover
from logtui.parsers.pattern import Mark
from logtui.parsers.prefix.stamp import iso
from logtui.parsers.scan.sweep import Sweep

SENT = 1_773_274_622.25
DIGITS = string.digits + string.ascii_lowercase
REFUSED = "NewConnectionError('refused')"
SLOW = "ReadTimeoutError('pool: Read timed out. (read timeout=20)')"
ENDLESS = "ReadTimeoutError('pool: Read timed out.')"


def case_of(path: Path) -> Case:
    sweep = Sweep(discover([path]), jobs=1)
    list(sweep.run())
    return sweep.case()


def base36(number: int) -> str:
    """As Go prints it."""
    text = ""
    while number:
        number, digit = divmod(number, 36)
        text = DIGITS[digit] + text
    return text


def retry(time: float, cause: str) -> str:
    stamp = str(iso(time)).replace("T", " ").replace(".", ",")
    url = f"/v1/objects/corpus/a.tar?provider=ais&pid=AbCdEfGh&utm={base36(int(SENT * 1e9))}"
    return (
        f"{stamp} WARNING root: Retrying aistore.sdk.request_client.RequestClient.request in 1 seconds as it raised "
        f"ConnectionError: HTTPConnectionPool(host='10.0.0.7', port=51081): Max retries exceeded with url: {url} "
        f"(Caused by {cause})"
    )


def test_the_time_is_read_from_the_url() -> None:
    assert sent_at(retry(SENT, REFUSED)) == pytest.approx(SENT, abs=1e-6)
    assert sent_at("GET /v1/objects/a?utm=zzz") is None
    assert sent_at("GET /v1/objects/a?utm=00000000000a") is None


@pytest.mark.parametrize(
    ("ahead_s", "cause", "expected", "zone_s", "residual_s"),
    [
        pytest.param(0.004, REFUSED, 0.0, 0.0, 0.004, id="same clock"),
        pytest.param(19800.0 + 0.25, REFUSED, 19800.0, 19800.0, 0.25, id="a zone"),
        pytest.param(20.125, SLOW, 0.0, 0.0, 0.125, id="a time-out of known length"),
        pytest.param(31.0, ENDLESS, 0.0, 0.0, 31.0, id="a time-out of unknown length"),
        pytest.param(95.0, REFUSED, 95.0, 0.0, 0.0, id="a clock that is ahead"),
        pytest.param(-28800.0 - 40.0, REFUSED, -28840.0, -28800.0, 0.0, id="a zone, and a clock that is behind"),
    ],
)
def test_zone_and_skew_are_told_apart(
    tmp_path: Path, ahead_s: float, cause: str, expected: float, zone_s: float, residual_s: float
) -> None:
    (tmp_path / "w.log").write_text(retry(SENT + ahead_s, cause) + "\n")
    lead = lead_of(redirects(client_events(case_of(tmp_path), (Mark.REQUEST_RETRIED,))))
    assert lead is not None
    assert lead.seconds == pytest.approx(expected, abs=0.01)
    assert (lead.zone_s, lead.skewed) == (zone_s, expected != zone_s)
    assert lead.residual_s == pytest.approx(residual_s, abs=0.01)


def test_an_answer_that_ends_in_a_newline_is_one_record(tmp_path: Path) -> None:
    utm = base36(int(SENT * 1e9))
    answer = '{"message":"t[AbCdEfGh]: gone","node":"t[AbCdEfGh]","status":500}'
    (tmp_path / "w.log").write_text(
        f"[default1]:{str(iso(SENT)).replace('T', ' ').replace('.', ',')} WARNING root: batch failed: "
        f"STATUS:500, MESSAGE:{answer}\n[default1]:, REQ_URL:http://10.0.0.7:51080/v1/ml/moss?utm={utm}\n"
    )
    (event,) = client_events(case_of(tmp_path))
    assert event.text.endswith(f"?utm={utm}")
    assert [e.host for e in event.endpoints] == ["10.0.0.7"]


def test_a_proxy_whose_clock_is_off_is_set_right(tmp_path: Path) -> None:
    (tmp_path / "error-1-0.out").write_text(retry(SENT, REFUSED) + "\n")
    case = case_of(tmp_path)
    events = client_events(case, (Mark.REQUEST_FAILED, Mark.REQUEST_RETRIED))
    (by,) = redirects(events, {"AbCdEfGh": 95.0, "IjKlMnOp": 7.0})
    case.close()
    assert by.lead_s == pytest.approx(95.0, abs=1e-3)

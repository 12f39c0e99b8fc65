"""Daemon logs are asked for wherever the lines speak of AIStore, though its client logged nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from logtui.diagnosis.session.opening import Options, analyse_whole

STEPS = "".join(f"2026-03-12 00:0{n}:00,000 INFO: step {n} loss 2.0\n" for n in range(1, 6))
THROUGH_SDK = (
    '[rank3]:   File "/opt/venv/lib/python3.12/site-packages/aistore/sdk/request_client.py", line 9, in request\n'
    "[rank3]:     x()\n"
)
THROUGH_REQUESTS = (
    '[rank3]:   File "/opt/venv/lib/python3.12/site-packages/requests/adapters.py", line 9, in send\n[rank3]:     x()\n'
)


def raised(frames: str, headline: str) -> str:
    return (
        STEPS
        + '[rank3]: Traceback (most recent call last):\n[rank3]:   File "/job/train.py", line 1, in main\n'
        + f"[rank3]:     run()\n{frames}[rank3]: {headline}\n"
    )


def advice(path: Path, text: str) -> list[str]:
    (path / "error-4821-0.out").write_text(text)
    analysis = analyse_whole([path], Options(jobs=1, no_cache=True))
    analysis.case.close()
    return [r.what for r in analysis.report.recommendations if r.side == "storage"]


@pytest.mark.parametrize(
    ("frames", "headline", "endpoint"),
    [
        pytest.param(
            THROUGH_SDK, "requests.exceptions.ReadTimeout: Read timed out.", "http://PROXY:51080", id="through the SDK"
        ),
        pytest.param(
            THROUGH_REQUESTS,
            "requests.exceptions.ConnectionError: HTTPConnectionPool(host='ais-proxy-0', port=51080): Read timed out.",
            "http://ais-proxy-0:51080",
            id="a server's port",
        ),
    ],
)
def test_daemon_logs_are_asked_for(tmp_path: Path, frames: str, headline: str, endpoint: str) -> None:
    found = advice(tmp_path, raised(frames, headline))
    assert f"export AIS_ENDPOINT={endpoint}" in found
    assert any("which ais" in what for what in found)


def test_another_store_is_not_aistore(tmp_path: Path) -> None:
    headline = "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='s3.example', port=443): Read timed out."
    assert not any("AIS_ENDPOINT" in what for what in advice(tmp_path, raised(THROUGH_REQUESTS, headline)))

"""Which daemon is to blame, on small clusters written by hand: who cannot be reached, not who says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from logtui.diagnosis.session.opening import Options, analyse_whole
from logtui.diagnosis.storage.findings import StorageFindings

NODES = {"p[px]": 11, "t[AbCdEfGh]": 21, "t[IjKlMnOp]": 22, "t[QrStUvWx]": 23}
GONE = "t[IjKlMnOp]"
REFUSED = "dial tcp 10.0.0.22:51082: connect: connection refused"
CLIENT = (
    "2026-03-12 00:10:02,000 WARNING root: Retrying aistore.sdk.request_client.RequestClient.request in 1 seconds as it raised "
    "ConnectionError: HTTPConnectionPool(host='10.0.0.22', port=51081): Max retries exceeded with url: /v1/objects/c/a.tar "
    "(Caused by NewConnectionError('refused'))\n"
    "2026-03-12 00:10:30,000 ERROR root: All retries exhausted; request failed\n"
)
EVICTED = "slow-kalive failure after 3 attempts - removing t[IjKlMnOp] from Smap v7[uuid, p[px], t=3, p=1]"
SENT = (
    "client:9 Error: shared-dm[{own}=>IjKlMnOp] [ error when dialing 10.0.0.22:51083: dial tcp4: connection refused ]"
)
RECEIVED = "shared_dm:3 shared-dm[IjKlMnOp<={own}] sbr_proto_hdr:[err: unexpected EOF]"
LOST = 'kalive:6 {label} => p[px] failure - retrying: [ true 2s Post "http://10.0.0.11:51082/v1/x": dial tcp 10.0.0.11:51082: no route to host ]'


def head(label: str) -> list[str]:
    role, port = ("proxy", 51080) if label.startswith("p") else ("target", 51081)
    return [
        f"Started up at 2026/03/12 00:00:00, host ais-{role}-{NODES[label]}, go1.24 for linux/amd64",
        f"I 00:00:00.100000 daemon:262 Node {label}, Version 5.0.aa, build x, CPUs(4, runtime=8)",
        f"I 00:00:00.200000 htrun:363 PUBLIC (user) access: {{10.0.0.{NODES[label]} {port} http://x}} (config: x)",
        f"I 00:00:00.300000 htrun:378 INTRA-CONTROL access: {{10.0.0.{NODES[label]} 51082 http://x}} (config: x)",
        f"I 00:00:00.400000 htrun:391 INTRA-DATA access: {{10.0.0.{NODES[label]} 51083 http://x}} (config: x)",
    ]


def analysed(path: Path, said: Mapping[str, Sequence[str]], client: str = CLIENT) -> StorageFindings:
    for label in NODES:
        own = label[2:-1]
        role = "aisproxy" if label.startswith("p") else "aistarget"
        folder = path / f"{role}-{own}"
        folder.mkdir()
        lines = [line.replace("{own}", own).replace("{label}", label) for line in said.get(label, ())]
        end = [] if label == GONE else ["I 00:20:00.000000 stats:1 {state.flags:6}"]
        text = "\n".join([*head(label), *lines, *end]) + "\n"
        (folder / f"{role}.ais-{own}.INFO.0312-000000.1").write_text(text)
    (path / "worker.log").write_text(client)
    analysis = analyse_whole([path], Options(jobs=1, no_cache=True, offset_s=0.0))
    analysis.case.close()
    assert analysis.storage is not None
    return analysis.storage


@pytest.mark.parametrize(
    "said",
    [
        pytest.param({"p[px]": ["E 00:10:20.000000 kalive:4 " + EVICTED]}, id="evicted, says the proxy"),
        pytest.param(
            {label: ["W 00:10:01.000000 " + SENT] for label in ("t[AbCdEfGh]", "t[QrStUvWx]")}, id="senders to it"
        ),
        pytest.param(
            {label: ["W 00:10:01.000000 " + RECEIVED] for label in ("t[AbCdEfGh]", "t[QrStUvWx]")},
            id="receivers of its streams",
        ),
        pytest.param(
            {
                "p[px]": [
                    f'E 00:10:01.000000 Error: Post "http://10.0.0.22:51082/v1/ml/moss/noxid/w/3?tid=AbCdEfGh": {REFUSED}'
                ]
            },
            id="a call to its address, whoever the batch is for",
        ),
        pytest.param(
            {
                GONE: ["W 00:10:01.000000 " + LOST],
                "p[px]": ["E 00:10:20.000000 kalive:4 " + EVICTED],
                "t[AbCdEfGh]": ["W 00:10:01.000000 " + SENT],
            },
            id="cut off, it accuses the proxy",
        ),
    ],
)
def test_the_node_that_others_cannot_reach_is_blamed(tmp_path: Path, said: Mapping[str, Sequence[str]]) -> None:
    found = analysed(tmp_path, said)
    assert (found.judgement.standing, found.judgement.blamed) == ("implicated", (GONE,))


def test_reconnecting_is_no_reconnection_and_busy_processors_are_no_cause(tmp_path: Path) -> None:
    noise = [
        "W 00:10:01.000000 shared_dm:2 {label} reconnect/send: shared-dm --> AbCdEfGh <nil>",
        "W 00:10:02.000000 common:5 {label} CPU utilization: high [ 20 2 ]",
        "E 00:10:03.000000 common:5 {label} CPU utilization: extremely high [ 97 2 ]",
    ]
    found = analysed(tmp_path, {"t[QrStUvWx]": noise})
    assert found.judgement.blamed == ()
    assert found.judgement.standing != "implicated"


def test_a_job_that_went_on_is_no_failure_of_storage(tmp_path: Path) -> None:
    steps = "".join(f"2026-03-12 00:{m:02d}:00,000 INFO: step {m} loss 2.0 time 1.0\n" for m in range(5, 20))
    found = analysed(tmp_path, {"p[px]": ["E 00:10:20.000000 kalive:4 " + EVICTED]}, client=steps)
    assert found.judgement.standing == "survived"
    assert found.judgement.blamed in ((GONE,), ())


BATCH = (
    "2026-03-12 00:10:02,000 WARNING lhotse.ais.batch_loader: Timeout while fetching batch result at index 3: "
    "HTTPConnectionPool(host='10.0.0.23', port=51081): Read timed out.. Falling back to direct AIStore API call.\n"
)


def test_a_batchs_host_is_linked_as_what_only_gathers(tmp_path: Path) -> None:
    """The target that a client asked for a batch waits for the others itself: a screen need not turn to it."""
    found = analysed(tmp_path, {}, BATCH)
    assert [(k.daemon, k.how) for k in found.links] == [("t[QrStUvWx]", "batch")]

"""Storage judged from both sides: clocks, chain, counters, verdict evidence, advice, picker."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import logtui.diagnosis.storage
import logtui.parsers.daemons
from logtui.diagnosis.evidence import verify
from logtui.diagnosis.options import GivenOffset
from logtui.diagnosis.storage.client import given_up
from logtui.diagnosis.storage.counters import heat, saturations
from logtui.diagnosis.storage.fetching import advice_without_logs
from logtui.diagnosis.storage.findings import StorageFindings, analyse_storage, read_logs
from logtui.diagnosis.storage.panels import line_at, picker
from logtui.diagnosis.storage.suspects import Suspect
from logtui.parsers.daemons.reread import DiskLoad
from logtui.parsers.daemons.stats import Kind, kind_of
from logtui.parsers.files.case import Case
from logtui.parsers.files.discover import discover
from logtui.parsers.generator.aistore.daemons import client_log, write_daemons
from logtui.parsers.generator.aistore.spec import AisFault, AisSpec, AisTruth, ClientEvent, Packing
from logtui.parsers.pattern import Scope
from logtui.parsers.prefix.stamp import iso
from logtui.parsers.registry import registry
from logtui.parsers.scan.sweep import Sweep

HOUR = 3600
CORPUS = Path(os.environ.get("LOGTUI_CORPUS", Path(__file__).resolve().parents[4] / "shared" / "corpus"))
EXAMPLES = CORPUS / "aistore-examples"
REFUSED = CORPUS / "incidents" / "427-lab-ais-refused"
WORKER = "2026-03-12 {clock},{ms:03d} {level}: [rank{rank}]: {text}\n"


def case_of(*paths: Path) -> Case:
    sweep = Sweep(discover(paths), jobs=1)
    list(sweep.run())
    return sweep.case()


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., tuple[Case, AisTruth]]:
    """A cluster with its clients' log, whose clock is `offset_s` ahead of the daemons'."""

    def write(offset_s: float = 0.0, lead_s: float = 3000.0, **spec: object) -> tuple[Case, AisTruth]:
        what = AisSpec(**spec)  # type: ignore[arg-type]
        truth = write_daemons(what, tmp_path / "ais")
        zone_s = int(what.zone_s + offset_s)
        text = client_log(truth, zone_s, what.failure - lead_s, what.failure + 60)
        (tmp_path / "worker.log").write_text(text)
        return case_of(tmp_path), truth

    return write


def analysed(case: Case, window: tuple[float, float] | None = None, **options: object) -> StorageFindings:
    found = analyse_storage(case, window, **options)  # type: ignore[arg-type]
    assert found is not None
    return found


def around(spec_failure: float, zone_s: float) -> tuple[float, float]:
    return spec_failure + zone_s - 900, spec_failure + zone_s + 120


FAILURE = AisSpec().failure
OFFSETS = [0, HOUR, -HOUR, 5.5 * HOUR, -8 * HOUR, 12 * HOUR]


@pytest.mark.parametrize("offset_s", OFFSETS)
@pytest.mark.parametrize(("zone", "zone_s"), [("UTC", 0), ("CST", 8 * HOUR)])
def test_request_ids_give_the_offset(
    written: Callable[..., tuple[Case, AisTruth]], offset_s: float, zone: str, zone_s: int
) -> None:
    case, truth = written(offset_s, zone=zone, zone_s=zone_s)
    found = analysed(case, around(FAILURE, zone_s + offset_s))
    assert (found.clock.offset_s, found.clock.confidence, found.clock.how) == (offset_s, "high", "request ids")
    assert found.clock.residual_s is not None
    assert abs(found.clock.residual_s) < 1
    assert found.judgement.standing == "implicated"
    assert found.judgement.confidence == "high"
    assert found.judgement.blamed == (f"t[{truth.culprit}]",)


@pytest.mark.parametrize("offset_s", OFFSETS)
def test_shared_failures_give_a_tentative_offset(
    written: Callable[..., tuple[Case, AisTruth]], offset_s: float
) -> None:
    case, truth = written(offset_s, version="5.0", zone="CST", zone_s=8 * HOUR)
    found = analysed(case, around(FAILURE, 8 * HOUR + offset_s))
    assert (found.clock.offset_s, found.clock.how) == (offset_s, "shared failures")
    assert found.clock.confidence != "high"
    assert found.judgement.blamed == (f"t[{truth.culprit}]",)


@pytest.mark.parametrize("fault", [AisFault.HEALTHY, AisFault.CLIENT_GONE])
@pytest.mark.parametrize("offset_s", OFFSETS)
def test_no_anchor_no_offset(written: Callable[..., tuple[Case, AisTruth]], offset_s: float, fault: AisFault) -> None:
    case, _ = written(offset_s, fault=fault)
    found = analysed(case, around(FAILURE, offset_s))
    assert (found.clock.offset_s, found.clock.how) == (None, "not derivable")
    assert found.clock.note
    assert found.judgement.standing != "implicated"
    assert found.judgement.confidence == "low"
    assert any("offset" in m for m in found.missing)


@pytest.mark.parametrize("offset_s", OFFSETS)
def test_the_end_of_a_job_is_a_hint(tmp_path: Path, offset_s: float) -> None:
    """The last step and the last request; a hang that goes on for half an hour changes nothing."""
    spec = AisSpec(fault=AisFault.HEALTHY, decoy_restart=False)
    write_daemons(spec, tmp_path / "ais")
    last = FAILURE + 280 + offset_s + 12
    lines = [
        f"{str(iso(last - 60 * n))[:19].replace('T', ' ')} INFO: iteration {90 - n}/ 99 | elapsed time per iteration (ms): 900.0\n"
        for n in range(80, -1, -1)
    ]
    lines.append(f"{str(iso(last + 1800))[:19].replace('T', ' ')} ERROR: watchdog\n")
    (tmp_path / "w.log").write_text("".join(lines))
    found = analysed(case_of(tmp_path), (last - 600, last))
    assert (found.clock.offset_s, found.clock.confidence, found.clock.how) == (offset_s, "low", "end of activity")
    assert (found.judgement.standing, found.judgement.confidence) == ("cleared", "low")


@pytest.mark.parametrize("ahead_s", [0, HOUR, -7 * HOUR])
def test_epochs_in_worker_lines_give_the_zone(tmp_path: Path, ahead_s: int) -> None:
    truth = write_daemons(AisSpec(fault=AisFault.HEALTHY), tmp_path / "ais")
    saved = FAILURE - 700
    line = f"[NeMo I {iso(saved + ahead_s)[:19].replace('T', ' ')} nemo_model_checkpoint:226] "  # type: ignore[index]
    line += f"Checkpoint save for step 400 started at {saved:.3f}.\n"
    (tmp_path / "w.log").write_text(line + client_log(truth, ahead_s, FAILURE - 600, FAILURE))
    found = analysed(case_of(tmp_path), (FAILURE + ahead_s - 600, FAILURE + ahead_s))
    assert (found.clock.offset_s, found.clock.confidence, found.clock.how) == (ahead_s, "high", "zones")
    assert found.judgement.standing == "cleared"
    assert found.judgement.confidence == "high"
    assert verify(case_of(tmp_path), found.cited).failed == ()


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [
        pytest.param("{}T{}.104Z ", 0.0, id="all name their zone"),
        pytest.param("{} {},104 ", None, id="none does"),
    ],
)
def test_stamps_with_a_zone_give_the_workers_zone(tmp_path: Path, stamp: str, expected: float | None) -> None:
    write_daemons(AisSpec(fault=AisFault.HEALTHY), tmp_path / "ais")
    times = [str(iso(FAILURE - 600 + 60 * n)) for n in range(8)]
    lines = [stamp.format(t[:10], t[11:19]) + f"INFO: iteration {n}/ 99 | elapsed" for n, t in enumerate(times)]
    lines.append(stamp.format(times[-1][:10], times[-1][11:19]) + "ValueError: bad sample")
    (tmp_path / "w.log").write_text("\n".join(f"{line} time per iteration (ms): 900.0" for line in lines) + "\n")
    clock = analysed(case_of(tmp_path), (FAILURE - 600, FAILURE)).clock
    assert clock.offset_s == expected
    assert clock.how == ("zones" if expected is not None else clock.how)


def test_markers_with_an_ambiguous_name_prove_nothing(tmp_path: Path) -> None:
    truth = write_daemons(AisSpec(fault=AisFault.HEALTHY, zone="IST", zone_s=19_800), tmp_path / "ais")
    saved = FAILURE - 700
    line = f"[NeMo I {iso(saved)[:19].replace('T', ' ')} x:226] "  # type: ignore[index]
    line += f"Checkpoint save for step 400 started at {saved:.3f}.\n"
    (tmp_path / "w.log").write_text(line + client_log(truth, 0, FAILURE - 600, FAILURE))
    assert analysed(case_of(tmp_path), (FAILURE - 600, FAILURE)).clock.offset_s is None


@pytest.mark.parametrize("packing", [Packing.ARCHIVES, Packing.STREAM])
def test_archives_and_collectors_know_utc(tmp_path: Path, packing: Packing) -> None:
    """Members keep the true time of their last write; `--timestamps` is UTC."""
    truth = write_daemons(AisSpec(fault=AisFault.HEALTHY, zone="IST", zone_s=19_800, packing=packing), tmp_path / "ais")
    saved = FAILURE - 700
    line = f"[NeMo I {iso(saved)[:19].replace('T', ' ')} x:226] "  # type: ignore[index]
    line += f"Checkpoint save for step 400 started at {saved:.3f}.\n"
    (tmp_path / "w.log").write_text(line + client_log(truth, 0, FAILURE - 600, FAILURE))
    assert analysed(case_of(tmp_path), (FAILURE - 600, FAILURE)).clock.offset_s == -19_800


def refused(rank: int, job: str, item: str) -> str:
    url = f"http://ais-target-0:51081/v1/ml/moss/{job}/{item}/2"
    return f'aistore.sdk.errors.AISError: STATUS:409, MESSAGE:x-moss: xid "{job}" not active, REQ_URL:{url}'


@pytest.mark.parametrize(("near", "expected"), [(False, HOUR), (True, 2 * HOUR)], ids=["before", "after"])
def test_daylight_saving_within_the_logs(tmp_path: Path, near: bool, expected: float) -> None:
    """The workers' clock goes forward between two refused requests: the one next to the failure decides."""
    header = "Started up at 2026/03/29 00:00:00, host ais-target-0, go1.25.4 for linux/amd64\n"
    header += "I 00:00:00.100000 daemon:262 Node t[AbCdEfGh], Version 4.1.0aa, build x, CPUs(4, runtime=8)\n\n"
    record = 'E {clock}.100000 x-moss: xid "job" not active: GET /v1/ml/moss/job/{item}/2 (t[AbCdEfGh]: f.go:1])\n'
    ais = header + record.format(clock="00:30:00", item="p-aaaaa") + record.format(clock="03:30:00", item="p-bbbbb")
    worker = f"2026-03-29 01:30:00,104 ERROR: {refused(1, 'job', 'p-aaaaa')}\n"
    worker += f"2026-03-29 05:30:00,104 ERROR: {refused(2, 'job', 'p-bbbbb')}\n"
    (tmp_path / "aistarget-AbCdEfGh").write_text(ais)
    (tmp_path / "w.log").write_text(worker)
    failure = 1_774_747_800.0 + (4 * HOUR if near else 0)
    clock = analysed(case_of(tmp_path), (failure - 60, failure + 60)).clock
    assert clock.offset_s == expected
    assert "daylight" in clock.note


def test_contradicting_ids_prove_nothing(tmp_path: Path) -> None:
    header = "Started up at 2026/03/29 00:00:00, host ais-target-0, go1.25.4 for linux/amd64\n"
    record = 'E {clock}.100000 x-moss: xid "job" not active: GET /v1/ml/moss/job/{item}/2 (t[AbCdEfGh]: f.go:1])\n'
    ais = header + record.format(clock="00:30:00", item="p-aaaaa") + record.format(clock="03:30:00", item="p-bbbbb")
    worker = f"2026-03-29 05:30:00,104 ERROR: {refused(1, 'job', 'p-aaaaa')}\n"
    worker += f"2026-03-29 05:45:00,104 ERROR: {refused(2, 'job', 'p-bbbbb')}\n"
    (tmp_path / "aistarget-AbCdEfGh").write_text(ais)
    (tmp_path / "w.log").write_text(worker)
    assert analysed(case_of(tmp_path)).clock.offset_s is None


def test_a_given_offset_is_taken(written: Callable[..., tuple[Case, AisTruth]]) -> None:
    case, _ = written(fault=AisFault.HEALTHY)
    found = analysed(case, around(FAILURE, 0), offset=GivenOffset(0.0))
    assert (found.clock.how, found.clock.offset_s) == ("given", 0.0)
    assert found.judgement.standing == "cleared"


@pytest.mark.parametrize("version", ["4.1", "5.0"])
@pytest.mark.parametrize(
    ("fault", "standing", "word"),
    [
        (AisFault.DISK_PRESSURE, "implicated", "disks"),
        (AisFault.SLOW_DISK, "implicated", "disks"),
        (AisFault.PEER_RESTART, "implicated", "restarted"),
        (AisFault.CLIENT_GONE, "cleared", "clients left first"),
        (AisFault.HEALTHY, "cleared", "without an error"),
    ],
)
def test_verdicts(
    written: Callable[..., tuple[Case, AisTruth]], version: str, fault: AisFault, standing: str, word: str
) -> None:
    case, truth = written(version=version, fault=fault)
    found = analysed(case, around(FAILURE, 0), offset=GivenOffset(0.0))
    assert found.judgement.standing == standing
    assert word in found.judgement.title
    assert found.judgement.confidence == "high"
    assert found.judgement.blamed == ((f"t[{truth.culprit}]",) if truth.culprit else ())
    assert found.judgement.because
    assert verify(case, found.cited).failed == ()


def test_the_root_is_the_first_saturated_line(written: Callable[..., tuple[Case, AisTruth]]) -> None:
    case, truth = written()
    found = analysed(case, around(FAILURE, 0))
    root, cut = truth.places[f"saturated.{truth.culprit}"], truth.places[f"cut.{truth.assembler}"]
    places = [(e.file.removeprefix("ais/"), e.line) for e in found.judgement.because]
    assert places == [(root.file, root.line), (cut.file, cut.line)]
    kinds = [o.kind for o in found.occurrences]
    assert kinds.index("disks.saturated") < kinds.index("getbatch.entry_timeout") < kinds.index("shared_dm.terminated")
    steps = found.chain
    assert [s.step for s in steps] == list(range(1, len(steps) + 1))
    assert [s.time for s in steps] == sorted(s.time or 0 for s in steps)
    assert steps[-1].leads_to is None


@pytest.mark.parametrize("named", [True, False])
def test_a_missing_target_is_missed(written: Callable[..., tuple[Case, AisTruth]], tmp_path: Path, named: bool) -> None:
    """By the name that others give it, or else by how many there should be."""
    _, truth = written()
    shutil.rmtree(tmp_path / "ais" / f"aistarget-{truth.culprit}")
    for path in [] if named else (tmp_path / "ais").rglob("ais*.INFO.*"):
        told = [line for line in path.read_text().splitlines(keepends=True) if truth.culprit not in line]
        path.write_text("".join(told))
    found = analysed(case_of(tmp_path), around(FAILURE, 0))
    assert found.unseen == ((f"t[{truth.culprit}]" if named else "1 more of 3 targets"),)
    assert any(found.unseen[0] in m for m in found.missing)
    assert found.judgement.standing == "implicated"
    assert found.judgement.confidence != "high"


def test_a_signature_shows_its_record_in_the_window_not_that_of_the_day_before(
    written: Callable[..., tuple[Case, AisTruth]], tmp_path: Path
) -> None:
    _, truth = written()
    place = truth.places[f"cut.{truth.assembler}"]
    path = tmp_path / "ais" / place.file
    lines = path.read_text().splitlines(keepends=True)
    earlier = next(n for n, line in enumerate(lines) if "get-batch" in line and " run: " in line) + 1
    lines.insert(earlier, lines[earlier - 1][:15] + lines[place.line - 1][15:])
    path.write_text("".join(lines))
    found = analysed(case_of(tmp_path), around(FAILURE, 0)).as_dict()
    daemons = {d["id"]: d for d in found["daemons"]}  # type: ignore[attr-defined]
    shown = {s["name"]: s for s in daemons[truth.assembler]["signatures"]}["getbatch.entry_timeout"]
    assert (shown["in_window"], shown["count"], shown["line"]) == (True, 2, place.line + 1)


def test_a_window_without_logs_clears_nothing(written: Callable[..., tuple[Case, AisTruth]]) -> None:
    case, _ = written(fault=AisFault.HEALTHY, decoy_restart=False)
    late = FAILURE + 5 * HOUR
    found = analysed(case, (late, late + 600), offset=GivenOffset(0.0))
    assert found.judgement.standing == "undecided"
    assert found.missing


@pytest.mark.parametrize("version", ["4.1", "5.0"])
def test_from_the_rank_to_the_targets_line(written: Callable[..., tuple[Case, AisTruth]], version: str) -> None:
    case, truth = written(version=version)
    (event,) = [c for c in truth.clients if "truncated" in c.text]
    found = analysed(case, around(FAILURE, 0), offset=GivenOffset(0.0), suspects=[Suspect(event.rank)])
    link = next(k for k in found.links if "truncated" in k.client.text)
    cut = truth.places[f"cut.{truth.assembler}"]
    assert link.server is not None
    assert (link.server.file.removeprefix("ais/"), link.server.line) == (cut.file, cut.line)
    assert (link.rank, link.daemon, link.how) == (event.rank, f"t[{truth.assembler}]", "same second")


def test_refused_requests_are_linked_by_id(written: Callable[..., tuple[Case, AisTruth]]) -> None:
    case, truth = written()
    events: list[ClientEvent] = [c for c in truth.clients if "REQ_URL" in c.text]
    found = analysed(case, around(FAILURE, 0), suspects=[Suspect(e.rank) for e in events])
    assert {k.rank for k in found.links if k.how == "request id"} == {e.rank for e in events}


def test_the_dictionary_is_the_contracts(written: Callable[..., tuple[Case, AisTruth]]) -> None:
    case, truth = written()
    data = json.loads(json.dumps(analysed(case, around(FAILURE, 0)).as_dict()))
    assert {d["id"] for d in data["daemons"]} == set(truth.nodes)
    daemon = next(d for d in data["daemons"] if d["id"] == truth.assembler)
    assert {"id", "role", "host", "files", "counters", "signatures"} <= set(daemon)
    assert {"file", "start", "end", "start_from", "end_from", "restart"} <= set(daemon["files"][0])
    errors = {c["name"]: c for c in daemon["counters"]}
    assert errors["err.getbatch.n"]["delta"] == 1
    assert {"name", "from", "to", "delta", "file", "line"} <= set(errors["err.getbatch.n"])
    assert daemon["files"][0]["start"].endswith("+00:00")


def test_timeline_uses_the_workers_clock(written: Callable[..., tuple[Case, AisTruth]]) -> None:
    case, _ = written(HOUR)
    found = analysed(case, around(FAILURE, HOUR))
    cut = next(e for e in found.timeline if "delivered nothing" in e.what)
    assert cut.time == pytest.approx(FAILURE + HOUR, abs=0.01)
    assert "+3600 s" in cut.time_from


def test_no_daemons_no_findings(tmp_path: Path) -> None:
    (tmp_path / "w.log").write_text("2026-03-12 00:00:00,000 INFO: step 1\n")
    assert analyse_storage(case_of(tmp_path)) is None


def test_picker_lists_every_file(written: Callable[..., tuple[Case, AisTruth]]) -> None:
    case, truth = written(max_size=60_000)
    logs = read_logs(case)
    assert logs is not None
    view = picker(logs, window=(FAILURE - 60, FAILURE))
    assert view is not None
    assert {(b.name.removeprefix("ais/")) for r in view.rows for b in r.bars} == {f.name for f in truth.files}
    covering = {b.name.removeprefix("ais/") for r in view.rows for b in r.bars if b.covers}
    assert covering == {f.name for f in truth.files if f.start <= FAILURE and f.end >= FAILURE - 60}
    here = {b.name.removeprefix("ais/") for b in view.at(FAILURE) if b is not None}
    assert len(here) == len(truth.nodes)
    assert here <= covering
    assert [len(r.restarts) for r in view.rows if r.label == f"t[{truth.assembler}]"] == [1]


def test_the_line_under_the_cursor(written: Callable[..., tuple[Case, AisTruth]]) -> None:
    case, truth = written(max_size=60_000)
    logs = read_logs(case)
    assert logs is not None
    daemon = logs.named(truth.assembler)
    assert daemon is not None
    cut = truth.places[f"cut.{truth.assembler}"]
    found = line_at(logs, daemon.index, FAILURE + 0.0005)
    assert found is not None
    assert (logs.files[found[0]].name.removeprefix("ais/"), found[1]) == (cut.file, cut.line)


def load(time: float, disk: str = "nvme0n1", busy: int = 98) -> DiskLoad:
    return DiskLoad(time, disk, busy, 0, 0, 0, int(time))


@pytest.mark.parametrize(
    ("loads", "expected"),
    [
        ([load(0), load(10), load(20), load(30)], [(0, 30, 1)]),
        ([load(0), load(10)], []),
        ([load(0), load(10), load(20, busy=40), load(30)], []),
        ([load(t, d) for t in (0, 10, 20, 30) for d in ("nvme0n1", "nvme1n1")], [(0, 30, 2)]),
        ([load(t) for t in (0, 10, 20, 30, 300, 310, 320, 330)], [(0, 30, 1), (300, 330, 1)]),
    ],
    ids=["one", "burst", "interrupted", "two", "twice"],
)
def test_saturation(loads: list[DiskLoad], expected: list[tuple[float, float, int]]) -> None:
    assert [(s.start, s.end, len(s.disks)) for s in saturations(0, loads)] == expected


def test_heat_strips() -> None:
    strips = heat([load(0), load(15, busy=20), load(16, busy=30), load(5, "nvme1n1", 50)], 0, 20, 4)
    assert strips == {"nvme0n1": [98, None, None, 30], "nvme1n1": [None, 50, None, None]}


def test_advice_names_endpoint_minutes_and_commands(tmp_path: Path) -> None:
    text = (
        "2026-03-12 00:17:02,934 WARNING root: Retrying aistore.sdk.request_client.RequestClient.request.<locals>.request_op in "
        "1 seconds as it raised ConnectionError: HTTPSConnectionPool(host='ais.example', port=51080): Max retries exceeded\n"
        "2026-03-12 00:17:40,934 ERROR root: All retries exhausted; request failed\n"
        "[rank5]: Traceback (most recent call last):\n"
    )
    (tmp_path / "w.log").write_text(text)
    case = case_of(tmp_path)
    advice = advice_without_logs(case)
    assert advice is not None
    steps = "\n".join(r.what for r in advice.recommendations)
    for word in (
        "AIS_ENDPOINT=https://ais.example:51080",
        "ais log get cluster",
        "AIS_AUTHN_TOKEN_FILE",
        "AIS_CLIENT_CA",
        "kubectl",
    ):
        assert word in steps
    assert "2026-03-12 00:02 to 00:22" in advice.missing[0]
    (failed,) = given_up(case)
    assert (failed.rank, failed.first.line, failed.last.line, failed.attempts) == (5, 1, 2, 1)


def test_no_client_lines_no_advice(tmp_path: Path) -> None:
    (tmp_path / "w.log").write_text("2026-03-12 00:00:00,000 INFO: step 1\n")
    assert advice_without_logs(case_of(tmp_path)) is None


@pytest.mark.skipif(not REFUSED.is_dir(), reason="no corpus at hand")
def test_a_real_refused_endpoint() -> None:
    (failed,) = given_up(case_of(REFUSED))
    assert (failed.rank, failed.first.line, failed.attempts) == (3, 14, 6)


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason="no corpus at hand")
@pytest.mark.parametrize("packed", [False, True], ids=["directories", "archives"])
def test_examples_chain_and_counters(packed: bool) -> None:
    paths = [EXAMPLES / "as-downloaded"] if packed else sorted(p for p in EXAMPLES.glob("ais*") if p.is_dir())
    case = case_of(*paths)
    found = analysed(case)
    assert found.judgement.standing == "implicated"
    assert found.judgement.blamed == ("t[HxNrPaLd]",)
    root, effect = found.judgement.root, found.judgement.effect
    assert root is not None
    assert effect is not None
    assert (iso(root.time), root.kind, root.evidence[0].line) == ("2026-03-12T00:12:38.291", "disks.saturated", 2533)
    assert (iso(effect.time), effect.evidence[0].line) == ("2026-03-12T00:17:02.914", 1075)
    moves = {(found.logs.daemons[v.daemon].id, m.name): m for v in found.counters for m in v.moves}
    failed = moves["QvTbWmKe", "err.getbatch.n"].delta
    assert (failed.before, failed.after, failed.line) == (0, 1, 1126)
    assert moves["QvTbWmKe", "err.soft.getbatch.n"].delta.after == 11
    assert ("HxNrPaLd", "err.getbatch.n") not in moves or not moves["HxNrPaLd", "err.getbatch.n"].delta.delta
    assert not any(o.kind == "lifecycle.restart" for o in found.occurrences), "the later restart is a decoy"
    assert verify(case, found.cited).failed == ()


def test_every_message_asked_for_is_declared() -> None:
    """A pattern renamed in its format alone leaves what asks for it blind."""
    declared = {p.name for p in registry(Scope.DAEMONS).patterns}
    areas = "|".join({p.area for p in registry(Scope.DAEMONS).patterns})
    packages = (logtui.diagnosis.storage, logtui.parsers.daemons)
    texts = [
        path.read_text(encoding="utf-8") for package in packages for path in Path(package.__path__[0]).glob("*.py")
    ]
    asked = {name for text in texts for name in re.findall(rf'"((?:{areas})\.[a-z_]+)"', text)}
    made_here = {"disks.saturated", "lifecycle.restart"}
    assert len(asked & declared) > 15
    assert {name for name in asked - declared - made_here if kind_of(name) is Kind.OTHER} == set()

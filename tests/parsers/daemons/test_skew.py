"""Daemons whose clock is off the others' are told by metadata that reaches all at once, and set right."""

from __future__ import annotations

from pathlib import Path

import pytest

from logtui.diagnosis.storage.clock import derive_clock
from logtui.parsers.daemons.daemon import AisLogs, ingest
from logtui.parsers.files.case import Case
from logtui.parsers.files.discover import discover
from logtui.parsers.prefix.stamp import iso
from logtui.parsers.scan.sweep import Sweep

NODES = ("p[px]", "t[AbCdEfGh]", "t[IjKlMnOp]")
SENT = {"Smap v5": 10, "BMD v1": 11, "BMD v2": 60}
"""Seconds after midnight at which the proxy sends each."""


def stamp(second: float) -> str:
    return f"{int(second) // 3600:02}:{int(second) // 60 % 60:02}:{second % 60:09.6f}"


def log(node: str, ahead_s: float, late: dict[str, float]) -> str:
    said = [f"Started up at 2026/03/12 {stamp(ahead_s)[:8]}, host ais-{node[2:-1]}, go1.24 for linux/amd64"]
    said.append(f"I {stamp(ahead_s + 1)} daemon:262 Node {node}, Version 5.0.aa, build x, CPUs(4, runtime=8)")
    for what, at in SENT.items():
        here = ahead_s + at + late.get(what, 0.0)
        text = f"{node}: {what}" if node[0] == "p" else f"msync Rx: new {what}[u, t=2] ( have v0[] aism[] <-- p[px] )"
        said.append(f"I {stamp(here + 0.01)} x:7 {text}")
    said.append(f"E {stamp(ahead_s + 90)} y:8 wheel came off")
    return "\n".join(said) + "\n"


def read(path: Path, ahead_s: tuple[float, float, float], late: dict[str, float] | None = None) -> AisLogs:
    for node, ahead, role in zip(NODES, ahead_s, ("proxy", "target", "target"), strict=True):
        folder = path / f"ais{role}-{node[2:-1]}"
        folder.mkdir()
        own_late = late or {} if node == NODES[1] else {}
        (folder / f"ais{role}.ais-{node[2:-1]}.INFO.0312-000000.1").write_text(log(node, ahead, own_late))
    return ingest(case_of(path).files, jobs=1)


def case_of(path: Path) -> Case:
    sweep = Sweep(discover([path]), jobs=1)
    list(sweep.run())
    return sweep.case()


def ahead(logs: AisLogs) -> dict[str, float]:
    return {d.label: round(d.ahead_s) for d in logs.daemons if d.ahead_s}


@pytest.mark.parametrize(
    ("clocks", "expected"),
    [
        pytest.param((0, 95, 0), {"t[AbCdEfGh]": 95}, id="a target ahead"),
        pytest.param((95, 0, 95), {"t[AbCdEfGh]": -95}, id="a target behind"),
        pytest.param((19800, 0, 0), {"p[px]": 19800}, id="the proxy in another zone"),
        pytest.param((2, 0, 0), {}, id="what NTP leaves"),
        pytest.param((0, 95, 200), {"t[IjKlMnOp]": 105, "p[px]": -95}, id="all differ: by the middle one"),
    ],
)
def test_a_clock_is_told_by_what_all_receive(
    tmp_path: Path, clocks: tuple[float, float, float], expected: dict[str, float]
) -> None:
    assert ahead(read(tmp_path, clocks)) == expected


def test_one_late_version_is_no_clock(tmp_path: Path) -> None:
    assert ahead(read(tmp_path, (0, 0, 0), {"BMD v2": 95.0})) == {}


def test_all_its_times_are_set_right(tmp_path: Path) -> None:
    logs = read(tmp_path, (0, 95, 0))
    (off,) = (d for d in logs.daemons if d.ahead_s)
    assert iso(off.main[0].start) == "2026-03-12T00:00:00"
    assert [iso(u.times[0]) for u in logs.unknown] == ["2026-03-12T00:01:30"] * 3
    received = [m.time for m in logs.messages if m.daemon == off.index and "BMD v2" in m.text]
    assert [iso(t) for t in received] == ["2026-03-12T00:01:00.010"]


def test_the_clock_tells_of_it(tmp_path: Path) -> None:
    logs = read(tmp_path, (0, 95, 0))
    assert "t[AbCdEfGh]'s clock is 1 min 35 s ahead of the other daemons'" in derive_clock(case_of(tmp_path), logs).note

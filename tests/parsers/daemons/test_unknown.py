"""Warnings and errors that no pattern reads are folded by template, counted, and dated."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from logtui.diagnosis.session.opening import Options, analyse_whole
from logtui.parsers.daemons.unknown import MOST_TEMPLATES, OTHERS, template_of

HEAD = """Started up at 2026/03/12 00:00:00, host ais-target-1, go1.24 for linux/amd64
I 00:00:00.100000 daemon:262 Node t[AbCdEfGh], Version 5.0.aa, build x, CPUs(4, runtime=8)

"""


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("t[AbCdEfGh] lost 3 wheels", "t[IjKlMnOp] lost 41 wheels", id="nodes and numbers"),
        pytest.param("wheel 10.0.0.7:51083 fell off", "wheel 10.0.0.9:51081 fell off", id="addresses"),
        pytest.param('Post "http://a/b": no wheel', 'Post "http://c/d?e=f": no wheel', id="quoted calls"),
        pytest.param("x-spin[gbt-Pf3kTw] no wheel", "x-spin[gbt-Q7xkLm] no wheel", id="jobs"),
        pytest.param("open /ais/nvme1/a.tar: no wheel", "open /ais/nvme2/b.tar: no wheel", id="paths"),
    ],
)
def test_names_and_numbers_make_no_template(first: str, second: str) -> None:
    assert template_of(first) == template_of(second)
    assert template_of(first) != template_of(first.replace("wheel", "axle"))


def unread(path: Path, records: list[str]) -> list[dict[str, object]]:
    folder = path / "aistarget-AbCdEfGh"
    folder.mkdir()
    (folder / "aistarget.ais-target-1.INFO.0312-000000.1").write_text(HEAD + "\n".join(records) + "\n")
    analysis = analyse_whole([path], Options(jobs=1, no_cache=True))
    analysis.case.close()
    (daemon,) = cast("dict[str, list[dict[str, list[dict[str, object]]]]]", analysis.report.ais)["daemons"]
    return daemon["unread"]


def test_unread_records_are_counted_errors_first(tmp_path: Path) -> None:
    found = unread(
        tmp_path,
        [
            "I 00:10:00.000000 gear:7 all 4 wheels turn",
            "W 00:10:01.000000 gear:8 wheel 3 wobbles",
            "W 00:10:02.000000 gear:8 wheel 4 wobbles",
            "E 00:10:03.000000 gear:9 wheel 4 of t[AbCdEfGh] came off",
            "W 00:10:04.000000 kalive:329 p[px] failed to slow-kalive t[IjKlMnOp] - retrying [ timeout 0 2s ]",
        ],
    )
    assert [(u["severity"], u["template"], u["count"], u["line"]) for u in found] == [
        ("E", "gear: wheel # of t[…] came off", 1, 7),
        ("W", "gear: wheel # wobbles", 2, 5),
    ]
    assert found[0]["time"] == "2026-03-12T00:10:03"


def test_templates_are_bounded(tmp_path: Path) -> None:
    words = [f"{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(MOST_TEMPLATES + 9)]
    found = unread(tmp_path, [f"W 00:10:00.000000 gear:8 wheel {word} wobbles" for word in words])
    assert len(found) == MOST_TEMPLATES + 1
    assert next(u["count"] for u in found if u["template"] == OTHERS) == 9

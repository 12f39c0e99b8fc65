"""Dumps of real incidents: the ranks that their owners found, exactly, or nobody.

The files are no part of this repository: `LOGTUI_CORPUS` names a folder with `incidents/NAME/`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from logtui.diagnosis.dumps.analyse import analyse
from logtui.diagnosis.dumps.findings import FlightRecorderFindings
from logtui.parsers.dumps.reading import read_dumps_below

CORPUS = Path(os.environ.get("LOGTUI_CORPUS") or Path(__file__).resolve().parents[4] / "shared/corpus")

pytestmark = pytest.mark.skipif(not (CORPUS / "incidents").is_dir(), reason="no corpus of incidents (LOGTUI_CORPUS)")

CASES = (
    ("092", 16, (12, 14), "device_stopped"),  # GPU errors injected on both
    ("094", 16, (9, 14), "straggler"),  # both hold the interpreter lock and launch nothing any more
    ("401", 8, (), "none"),  # healthy
    ("403", 8, (5,), "straggler"),  # an exception on 5
    ("405", 3, (), "none"),  # 6 was killed; five dumps are missing, and absence is no guilt
    ("410", 8, (3,), "mismatch"),  # 3 calls all_gather
    ("418", 5, (4,), "straggler"),  # an exception on 4; three dumps are missing
    ("423", 8, (), "none"),  # written before anything was launched
    ("425", 8, (), "none"),  # healthy, dumped while the last barrier ended
)


def _findings(number: str) -> FlightRecorderFindings:
    (folder,) = CORPUS.glob(f"incidents/{number}-*")
    dumps = folder / "fr" if (folder / "fr").is_dir() else folder
    return analyse(read_dumps_below([dumps]))


@pytest.mark.parametrize(("number", "dumps", "culprits", "kind"), CASES, ids=[case[0] for case in CASES])
def test_culprits_are_exact(number: str, dumps: int, culprits: tuple[int, ...], kind: str) -> None:
    findings = _findings(number)
    assert (findings.dumps, findings.hint.culprits, findings.hint.kind) == (dumps, culprits, kind)


def test_states_are_those_of_the_dumps() -> None:
    states = _findings("094").states
    assert states is not None
    waiting, culprit = states[0, "0:default_pg"], states[9, "72:EXPERT_MODEL_PARALLEL_GROUP"]
    assert (waiting.enqueued, waiting.completed) == (14146, 14145)
    assert (culprit.enqueued, culprit.completed, culprit.pending) == (45264, 45264, None)

"""Gloo: echoes of peers, and the one line that shows a mismatch."""

from __future__ import annotations

import pytest
from matching import matched, names

from logtui.parsers.pattern import FailureClass
from logtui.parsers.registry import registry

AT = "[rank0]: RuntimeError: [/opt/build/third_party/gloo/gloo/transport/tcp/"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(
            AT + "pair.cc:553] Connection closed by peer [10.0.0.7]:19871", "gloo.peer_closed", id="up to 2.12"
        ),
        pytest.param(
            AT + "pair.cc:553] Connection closed by peer [10.0.0.7]:19871. This is typically caused by a remote worker "
            "crashing. Check the logs of the remote worker before reporting an error. GLHF! \N{BEACH WITH UMBRELLA}",
            "gloo.peer_closed",
            id="2.13 on",
        ),
        pytest.param(
            AT + "pair.cc:1] Read error [10.0.0.7]:19871: Connection reset by peer", "gloo.io_error", id="reset"
        ),
        pytest.param(
            AT + "unbound_buffer.cc:1] Timed out waiting 60000ms for send operation to complete",
            "gloo.timed_out",
            id="send",
        ),
        pytest.param(
            "[enforce fail at ../gloo/transport/tcp/pair.cc:490] op.preamble.length <= op.nbytes. 256 vs 64",
            "gloo.size_mismatch",
            id="sizes",
        ),
        pytest.param(
            "RuntimeError: Gloo connectFullMesh failed with [/gloo/transport/tcp/pair.h:1] Connect timeout [none]",
            "gloo.mesh_failed",
            id="mesh",
        ),
    ],
)
def test_lines(line: str, expected: str) -> None:
    assert names(line, "gloo") == {expected}


def test_mismatch_is_the_only_cause_of_a_running_job() -> None:
    assert registry().pattern("gloo.size_mismatch").cls is FailureClass.COLLECTIVE_MISMATCH
    fields = matched("op.preamble.length <= op.nbytes. 256 vs 64")["gloo.size_mismatch"]
    assert fields == {"received": "256", "expected": "64"}


def test_glued_records_do_not_match_half() -> None:
    glued = "[Gloo] Rank [Gloo] Rank 2 is connected to  is connected to 7 peer ranks.  peer ranks. Expected number of connected"
    assert names(glued, "gloo") == set()

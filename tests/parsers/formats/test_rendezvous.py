"""The agents' blocks line by line, before 2.3 bare and later with the logger's header; rendezvous errors."""

from __future__ import annotations

import pytest
from matching import matched, names

from logtui.parsers.pattern import Role
from logtui.parsers.registry import registry

HEADER = "I1121 03:58:02.117000 11807 torch/distributed/elastic/agent/server/api.py:525] "
BLOCK = {
    "  restart_count=1": {"restart_count": "1"},
    "  master_addr=node000.cluster": {"master_addr": "node000.cluster"},
    "  group_rank=7": {"group_rank": "7"},
    "  local_ranks=[0, 1, 2, 3]": {"local_ranks": "[0, 1, 2, 3]"},
    "  global_ranks=[28, 29, 30, 31]": {"global_ranks": "[28, 29, 30, 31]"},
    "  global_world_sizes=[32, 32, 32, 32]": {"world_sizes": "[32, 32, 32, 32]"},
    "  nproc_per_node   : 4": {"nproc_per_node": "4"},
    "  max_nodes        : 8": {"max_nodes": "8"},
}


@pytest.mark.parametrize(("line", "fields"), BLOCK.items())
@pytest.mark.parametrize("prefix", ["", HEADER, "7: " + HEADER], ids=["bare", "header", "srun and header"])
def test_blocks_line_by_line(prefix: str, line: str, fields: dict[str, str]) -> None:
    assert list(matched(prefix + line).values()) == [fields]


def test_role_ranks_are_not_global_ranks() -> None:
    assert names("  role_ranks=[0, 1]", "torchrun") == set()


@pytest.mark.parametrize(
    ("line", "role"),
    [
        pytest.param(
            "torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError", Role.CAUSE, id="a node never came"
        ),
        pytest.param(
            "torch.x.RendezvousConnectionError: The connection to the C10d store has failed.", Role.SYMPTOM, id="lost"
        ),
        pytest.param("torch.distributed.elastic.rendezvous.api.RendezvousClosedError", Role.SYMPTOM, id="closed"),
    ],
)
def test_only_a_timeout_of_the_rendezvous_is_a_cause(line: str, role: Role) -> None:
    assert [registry().pattern(n).role for n in names(line, "rendezvous")] == [role]


def test_source_lines_of_a_traceback_are_silent() -> None:
    assert names("    raise RendezvousConnectionError(", "rendezvous") == set()
    assert names("    except RendezvousTimeoutError as e:", "rendezvous") == set()

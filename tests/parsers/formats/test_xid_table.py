"""The Xid table is complete, and the codes that matter most say what NVIDIA says."""

from __future__ import annotations

import pytest

from logtui.parsers.formats.kernel.xid_table import XidKind, codes, find, table
from logtui.parsers.pattern import FailureClass


def test_every_code_once_and_in_order() -> None:
    assert list(table()) == list(range(1, 177))
    assert all(x.code == code for code, x in table().items())


@pytest.mark.parametrize(
    ("code", "kind", "failure_class", "word"),
    [
        (13, XidKind.APPLICATION, FailureClass.CUDA_SOFTWARE, "SM engine"),
        (31, XidKind.APPLICATION, FailureClass.CUDA_SOFTWARE, "MMU page fault"),
        (43, XidKind.CONSEQUENCE, None, "channel reset"),
        (45, XidKind.CONSEQUENCE, None, "torn down"),
        (48, XidKind.HARDWARE, FailureClass.GPU_HARDWARE, "double-bit"),
        (63, XidKind.WEAR, None, "remap"),
        (64, XidKind.HARDWARE, FailureClass.GPU_HARDWARE, "failed"),
        (74, XidKind.HARDWARE, FailureClass.GPU_HARDWARE, "NVLink"),
        (79, XidKind.HARDWARE, FailureClass.GPU_HARDWARE, "fell off the PCIe bus"),
        (94, XidKind.HARDWARE, FailureClass.GPU_HARDWARE, "contained"),
        (95, XidKind.HARDWARE, FailureClass.GPU_HARDWARE, "uncontained"),
        (109, XidKind.DRIVER, FailureClass.GPU_HARDWARE, "context-switch"),
        (119, XidKind.DRIVER, FailureClass.GPU_HARDWARE, "GSP"),
        (149, XidKind.HARDWARE, FailureClass.GPU_HARDWARE, "NETIR"),
        (154, XidKind.INFORMATION, None, "recovery action"),
    ],
)
def test_codes_seen_in_training_clusters(
    code: int, kind: XidKind, failure_class: FailureClass | None, word: str
) -> None:
    xid = find(code)
    assert xid is not None
    assert (xid.kind, xid.failure_class) == (kind, failure_class)
    assert word in xid.meaning


def test_unpublished_code_is_unknown() -> None:
    assert find(4711) is None


def test_kinds_part_the_codes() -> None:
    assert sorted(code for kind in XidKind for code in codes(kind)) == sorted(table())


def test_every_code_has_meaning_and_action() -> None:
    assert all(x.meaning and x.action and x.name.isupper() for x in table().values())

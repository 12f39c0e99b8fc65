"""What two ranks must agree on when they call the same collective.

Which part of a call is the same on all ranks depends on the operation: members of a gather send alike and only one
receives, an all-to-all may be uneven. What may differ is left out, so that equal signatures mean agreement.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from logtui.parsers.flight_recorder.call import Call, Shapes

_GATHERING = frozenset({
    "all_gather", "_all_gather_base", "all_gather_base", "all_gather_single", "all_gather_into_tensor_coalesced",
})  # fmt: skip
_SCATTERING = frozenset({
    "reduce_scatter", "_reduce_scatter_base", "reduce_scatter_base", "reduce_scatter_single",
    "reduce_scatter_tensor_coalesced",
})  # fmt: skip
_SAME_SIZE = frozenset({"all_reduce", "allreduce_coalesced"})
_ONE_TO_ALL = frozenset({"broadcast", "_broadcast_oop", "reduce", "_reduce_oop"})
EXCHANGES = frozenset({"all_to_all", "all_to_all_single", "all_to_all_v_single"})
"""Operations in which ranks may send and receive as much as they like, if it adds up."""

EVEN = _GATHERING | _SCATTERING | _SAME_SIZE | _ONE_TO_ALL
"""Operations whose tensors have the same shapes on every rank."""
SYMMETRIC = (EVEN - _ONE_TO_ALL) | EXCHANGES | {
    "barrier", "all_reduce_barrier", "all_gather_v", "reduce_scatter_v",
}  # fmt: skip
"""Operations that end on no rank before every rank has begun them."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The part of a call, or of the calls of a coalesced group, that all ranks share."""

    op: str
    sizes: str = ""
    dtypes: str = ""


def signature(calls: Sequence[Call]) -> Signature:
    """The signature of one unit."""
    inner = [call for call in calls if not call.closes_group] or calls
    return Signature(
        " + ".join(call.op for call in inner),
        " + ".join(_sizes(call) for call in inner),
        " + ".join(_dtypes(call) for call in inner),
    )


def _sizes(call: Call) -> str:
    if call.op in EVEN:
        return f"{_shown(call.input_sizes)} → {_shown(call.output_sizes)}"
    if call.op == "gather":
        return _shown(call.input_sizes)
    return _shown(call.output_sizes) if call.op == "scatter" else ""


def _shown(shapes: Shapes) -> str:
    return str([list(shape) for shape in shapes])


def _dtypes(call: Call) -> str:
    """Types of the tensors that hold anything; a rank that only sends, or has nothing to send, agrees with all."""
    if call.op not in EVEN:
        return ""
    return ", ".join(sorted({*call.input_dtypes, *call.output_dtypes}))


def numel(shapes: Shapes) -> int:
    """Elements in all tensors; an unknown shape counts none."""
    return sum(math.prod(shape) for shape in shapes if shape)


def own_fault(call: Call, group_size: int) -> str:
    """Why a call is wrong whatever the other ranks do; "" if it may be right."""
    ins, outs = numel(call.input_sizes), numel(call.output_sizes)
    if not ins or not outs:
        return ""
    if call.op in EVEN and {*call.input_dtypes} != {*call.output_dtypes}:
        return f"input {', '.join(call.input_dtypes)} and output {', '.join(call.output_dtypes)} differ in type"
    if call.op in _SAME_SIZE and call.input_sizes != call.output_sizes:
        return f"input {_shown(call.input_sizes)} and output {_shown(call.output_sizes)} differ"
    if call.op in _GATHERING and ins * group_size != outs:
        return f"{ins} elements of each of {group_size} ranks do not make {outs}"
    if call.op in _SCATTERING and outs * group_size != ins:
        return f"{ins} elements do not divide into {outs} for each of {group_size} ranks"
    return ""

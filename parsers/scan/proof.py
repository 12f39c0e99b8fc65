"""Which engine scans here: the fastest that passes, in a few milliseconds, the test of all anchors."""

from __future__ import annotations

from collections.abc import Sequence

from logtui.parsers.errors import EngineFault
from logtui.parsers.scan.engine import Engine, NumpyEngine

_FILLER = b"node007:4242:4542 [3] NCCL INFO Channel 00/0 : 8[0] -> 16[0] via NET/IB/0\n"


def make_engine(anchors: Sequence[bytes], prefer: str = "auto") -> Engine:
    """The fastest engine that works here; "hyperscan" or "numpy" forces one.

    An engine is used only after it has found every anchor in a text made for the purpose.

    Raises:
        ImportError: if a forced engine is not installed.
        EngineFault: if a forced engine does not work here.
    """
    if prefer in ("auto", "hyperscan"):
        try:
            from logtui.parsers.scan.hyperscan_engine import HyperscanEngine

            return prove(HyperscanEngine(anchors), anchors)
        except Exception:  # a missing wheel, an old CPU, a broken build: the other engine gives the same records
            if prefer == "hyperscan":
                raise
    return NumpyEngine(anchors)


def prove(engine: Engine, anchors: Sequence[bytes]) -> Engine:
    """The engine itself, if it finds each anchor where it was put, and nothing that is not there.

    Raises:
        EngineFault: if it misses, invents or misplaces an anchor.
    """
    text, planted = sample(anchors)
    found = engine.scan(bytearray(text), len(text)).tolist()
    if not planted.issubset(found) or not all(_is_there(text, hit, anchors) for hit in found):
        raise EngineFault(engine.name)
    return engine


def sample(anchors: Sequence[bytes]) -> tuple[bytes, set[int]]:
    """A text that holds every anchor, at changing alignments between other lines, and the hits that are due."""
    text, planted = bytearray(_FILLER), set()
    for index, anchor in enumerate(anchors):
        text += b"." * (index % 5) + anchor
        planted.add(len(text) << 16 | index)
        text += b"\n" if index % 8 else b"\n" + _FILLER
    return bytes(text), planted


def _is_there(text: bytes, hit: int, anchors: Sequence[bytes]) -> bool:
    end, anchor = hit >> 16, anchors[hit & 0xFFFF]
    return text.startswith(anchor, end - len(anchor))

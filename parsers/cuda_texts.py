"""How CUDA's and HIP's error texts reach a log, for the formats that declare what they say."""

from __future__ import annotations

_LEAD = r"(?:(?<![\"'(])(?:CUDA|HIP|cuda|Cuda) [Ee]rror: |Triton Error \[\w+\]: |\b(?:cuda|hip)Error\w+: )"
"""What libraries put before them; inside quotes they belong to source code."""


def raised(*texts: str) -> str:
    """One of CUDA's error texts, raised by a library."""
    return _LEAD + r"(?P<error>" + "|".join(texts) + ")"

"""Sealed files with other contents: what only a bug of ours, or somebody with malice, would write."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from logtui.parsers.files.sealed import open_sealed, write_sealed


def reseal(path: Path, change: Callable[[bytes], bytes]) -> None:
    """Write a sealed file again with its contents changed."""
    with open_sealed(path, 1 << 30) as source:
        data = change(source.read())
    write_sealed(path, lambda out: out.write(data))


def with_header(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the first line of a kept file, which is JSON."""

    def changed(data: bytes) -> bytes:
        first, _, rest = data.partition(b"\n")
        header = json.loads(first)
        change(header)
        return json.dumps(header).encode() + b"\n" + rest

    reseal(path, changed)

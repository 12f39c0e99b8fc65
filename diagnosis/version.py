"""Which logtui this is, and what it runs on."""

from __future__ import annotations

import platform
from functools import lru_cache
from importlib import metadata
from pathlib import Path


@lru_cache(maxsize=1)
def version() -> str:
    """The installed version, or `0+source` when run from a checkout without installing."""
    try:
        return metadata.version("logtui")
    except metadata.PackageNotFoundError:
        return "0+source"


def build() -> str:
    """The commit it was built from; empty in a checkout."""
    try:
        return (Path(__file__).parents[1] / "commit.txt").read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def describe() -> str:
    """For `--version`: logtui, Python, scan engine, number of declared formats; a line for each that was left out."""
    from logtui.parsers.registry import registry
    from logtui.parsers.scan.proof import make_engine

    known = registry()
    engine = make_engine(known.anchors).name
    built = build()
    site = f", {', '.join(known.site)} of this site" if known.site else ""
    commit = f" ({built})" if built else ""
    line = (
        f"logtui {version()}{commit} · Python {platform.python_version()} · scan engine {engine} · "
        f"{len(known.formats)} formats, {len(known.patterns)} patterns{site}"
    )
    return "\n".join((line, *(f"left out: {file}: {why}" for file, why in known.refused)))

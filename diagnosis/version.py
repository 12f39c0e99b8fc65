"""Which logtui this is, and what it runs on."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

NAME, INSTALLED = "logtui-", ".dist-info"


@lru_cache(maxsize=1)
def version() -> str:
    """The installed version, or `0+source` when run from a checkout without installing."""
    return next(_installed(), "0+source")


def _installed() -> Iterator[str]:
    """Versions that installers noted beside us. `importlib.metadata` says the same of folders, and takes as long to
    import as a tenth of our own modules; it is asked about archives."""
    for place in sys.path:
        try:
            found = [entry.path for entry in os.scandir(place or ".") if entry.name.startswith(NAME)]
        except OSError as error:
            if isinstance(error, NotADirectoryError):
                yield from _archived(place)
            continue
        for path in found:
            if path.endswith(INSTALLED):
                yield from _noted(Path(path))


def _noted(folder: Path) -> Iterator[str]:
    """What stands in the head of the metadata in a folder that an installer left."""
    with suppress(OSError), (folder / "METADATA").open(encoding="utf-8", errors="replace") as lines:
        words = (line.partition(":") for line in takewhile(str.strip, lines))
        yield from (value.strip() for key, _, value in words if key.lower() == "version")


def _archived(place: str) -> Iterator[str]:
    from importlib import metadata

    yield from (found.version for found in metadata.distributions(name="logtui", path=[place]))


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

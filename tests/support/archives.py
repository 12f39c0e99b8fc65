"""What tests of packed logs share: lines to pack, and what an archive admits and refuses."""

from __future__ import annotations

from pathlib import Path

from logtui.parsers.files.archive import Member, Refused, open_archive

LINES = "".join(f"2026-01-02 03:04:{n % 60:02d} INFO root: step {n}\n" for n in range(400)).encode()


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def parts_of(path: Path) -> tuple[list[str], dict[str, str]]:
    """Names of admitted members, and of refused ones with the reason."""
    found = list(open_archive(path).members(64))
    good = ["!".join(m.parts) for m in found if isinstance(m, Member)]
    return good, {"!".join(m.parts): m.why for m in found if isinstance(m, Refused)}

"""Whether logs have gone on since they were read."""

from __future__ import annotations

from pathlib import Path

import pytest

from logtui.parsers.errors import PathMissing
from logtui.parsers.files.discover import LogChanges, changes_since, discover
from logtui.parsers.scan.sweep import Sweep


def test_each_way_a_file_can_change(tmp_path: Path) -> None:
    for name in ("grows", "stays", "shrinks", "rotates", "goes"):
        (tmp_path / f"{name}.log").write_text("step 1\n" * 9)
    (tmp_path / "fills.log").touch()
    (tmp_path / "program.log").write_bytes(b"\x7fELF" + bytes(99))
    case = Sweep(discover([tmp_path])).case()
    assert not changes_since([tmp_path], case)

    with (tmp_path / "grows.log").open("a") as log:
        log.write("step 2\n")
    (tmp_path / "shrinks.log").write_text("step 1\n")
    (tmp_path / "rotates.log").rename(tmp_path.parent / "old.log")
    (tmp_path / "rotates.log").write_text("step 1\n" * 9)
    (tmp_path / "goes.log").unlink()
    (tmp_path / "fills.log").write_text("step 1\n")
    (tmp_path / "later.log").write_text("step 1\n")
    assert changes_since([tmp_path], case) == LogChanges(grown=1, bytes=7, new=2, replaced=2, gone=1)


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.log").write_text("step 1\n")
    case = Sweep(discover([tmp_path / "logs"])).case()
    (tmp_path / "logs" / "a.log").unlink()
    (tmp_path / "logs").rmdir()
    with pytest.raises(PathMissing):
        changes_since([tmp_path / "logs"], case)

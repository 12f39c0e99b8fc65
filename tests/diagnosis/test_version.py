"""The version is the one that an installer noted, wherever it did."""

from __future__ import annotations

import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from logtui.diagnosis.version import version

HEAD = "Metadata-Version: 2.4\nName: logtui\nVersion: 5.7.1\nLicense: Version: 9\n\nVersion: 1\n"


@pytest.fixture(autouse=True)
def _asked_anew() -> None:
    version.cache_clear()


def test_it_is_what_the_standard_library_says() -> None:
    assert version() == metadata.version("logtui")


@pytest.mark.parametrize("packed", [False, True])
def test_of_a_folder_and_of_an_archive(packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, place = "logtui-5.7.1.dist-info/METADATA", tmp_path / "place"
    if packed:
        with zipfile.ZipFile(place, "w") as archive:
            archive.writestr(name, HEAD)
    else:
        (place / name).parent.mkdir(parents=True)
        (place / name).write_text(HEAD)
    (tmp_path / "logtui-1.dist-info").mkdir()  # what a broken removal leaves
    monkeypatch.setattr(sys, "path", [str(tmp_path / "gone"), str(tmp_path), str(place), *sys.path])
    assert version() == "5.7.1"


def test_a_checkout_that_is_not_installed_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert version() == "0+source"
    version.cache_clear()

"""What no test may depend on: the user's home and colours, the machine's zone and speed."""

from __future__ import annotations

import gc
import itertools
import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from logtui.diagnosis.verdict import engine

# Machines that run tests are shared: a slow example is no failure. In CI the same examples every time.
settings.register_profile("logtui", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("logtui")

engine.TOLERANT = False
COLOURS = ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "TEXTUAL_THEME")


FREEZES = frozenset({20, 200, 1000})
"""Tests after which what is there stays to the end: modules and formats, which the first analyses load."""
_ran = itertools.count(1)


def pytest_collection_finish() -> None:
    """Keep what was collected out of garbage collections: an analysis of a large case asks for some, and all tests live
    to the end."""
    _keep_for_good()


def pytest_runtest_teardown() -> None:
    """The same for what the first tests have loaded."""
    if next(_ran) in FREEZES:
        _keep_for_good()


def _keep_for_good() -> None:
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def plain_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home of our own, no colour settings, UTC."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        patch.setenv("XDG_STATE_HOME", str(home / "state"))
        patch.setenv("XDG_CONFIG_HOME", str(home / "config"))
        patch.setenv("TZ", "UTC")
        patch.setenv("TERM", "xterm-256color")
        for name in COLOURS:
            patch.delenv(name, raising=False)
        yield

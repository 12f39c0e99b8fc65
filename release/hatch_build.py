"""Puts the commit into what is built, for `logtui --version`; a source archive hands it on to the wheel made of it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HANDED_ON = "release/commit.txt"


class CommitHook(BuildHookInterface):  # type: ignore[type-arg]  # its parameter is not public
    """Runs before files are gathered."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add one file; none to an editable install, in which it would hide the checkout."""
        commit = self._commit()
        if version == "editable" or not commit:
            return
        kept = Path(self.directory) / "commit.txt"
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(commit + "\n", encoding="utf-8")
        build_data["force_include"][str(kept)] = "logtui/commit.txt" if self.target_name == "wheel" else HANDED_ON

    def _commit(self) -> str:
        handed = Path(self.root) / HANDED_ON
        if handed.is_file():
            return handed.read_text(encoding="utf-8").strip()
        if not (Path(self.root) / ".git").exists():
            return ""
        run = subprocess.run(
            ["git", "rev-parse", "--short=12", "HEAD"], cwd=self.root, capture_output=True, text=True, check=False
        )
        return run.stdout.strip()

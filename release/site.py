"""Hooks of mkdocs: docs link to screenshots/ as a code host wants it; the site needs the pictures too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

PICTURES = Path(__file__).resolve().parents[1] / "screenshots"


def on_files(files: Files, config: Any) -> Files:
    """Add every picture."""
    for path in sorted(PICTURES.glob("*.svg")):
        files.append(File.generated(config, f"screenshots/{path.name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Link to them where they are now."""
    return markdown.replace("](../screenshots/", "](screenshots/")

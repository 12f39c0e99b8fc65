"""Draw the main situations of the app from the demo jobs: `python screenshots/make.py [NAME...]`.

Writes an SVG per situation beside this file.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from logtui.parsers.generator import demo_directory
from logtui.tui.app import LogtuiApp
from logtui.tui.settings import Settings
from logtui.tui.shared.looks import DARK

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Situation:
    """A demo job, a terminal, and the keys that lead there."""

    name: str
    demo: str
    size: tuple[int, int]
    keys: Sequence[str] = ()


SITUATIONS = (
    Situation("start", "classic", (120, 36)),
    Situation("proof", "classic", (120, 36), ("enter",)),
    Situation("effect", "classic", (120, 36), ("enter", "e")),
    Situation("timeline", "classic", (120, 36), ("2", "down", "down")),
    Situation("findings", "classic", (120, 36), ("3",)),
    Situation("search", "classic", (120, 36), ("slash", *"watchdog caught", "enter", "n")),
    Situation("filter", "classic", (120, 36), ("enter", "ampersand", *"shard", "enter", "R")),
    Situation("compare", "classic", (120, 36), ("enter", "vertical_line")),
    Situation("report", "classic", (120, 36), ("enter", "r")),
    Situation("finder", "classic", (120, 36), ("f", *"node007")),
    Situation("wide", "classic", (200, 50), ("enter",)),
    Situation("small", "classic", (80, 24), ("enter",)),
    Situation("exception", "exception", (120, 36), ("enter",)),
    Situation("mismatch", "mismatch", (120, 36), ("enter",)),
    Situation("storage", "storage", (120, 36), ("enter",)),
    Situation("healthy", "healthy", (120, 36)),
)


async def draw(situation: Situation, logs: Path) -> str:
    """Run the app without a terminal, press the keys, and return the screen as SVG."""
    app = LogtuiApp([logs], title=f"demo {situation.demo}", settings=Settings(theme=DARK.name))
    async with app.run_test(size=situation.size) as pilot:
        await pilot.pause()  # reading starts after the first frame
        await app.workers.wait_for_complete()
        await pilot.pause()
        for key in situation.keys:
            await pilot.press(key)
            await app.workers.wait_for_complete()
            await pilot.pause()
        return steady(app.export_screenshot(title="logtui"))


def steady(svg: str) -> str:
    """The same bytes for the same screen, and blanks that every converter keeps."""
    svg = re.sub(r"terminal-\d+-", "terminal-", svg)
    return svg.replace("<text ", '<text xml:space="preserve" ')


def main(names: Sequence[str]) -> int:
    """Draw the situations named, or all of them."""
    unknown = set(names) - {situation.name for situation in SITUATIONS}
    if unknown:
        print(f"no such situation: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    with TemporaryDirectory() as folder:
        for situation in SITUATIONS:
            if not names or situation.name in names:
                logs = demo_directory(situation.demo, Path(folder))
                path = HERE / f"{situation.name}.svg"
                path.write_text(asyncio.run(draw(situation, logs)), encoding="utf-8")
                print(path.relative_to(HERE.parent))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

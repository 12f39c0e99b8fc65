"""Where logtui installs without building anything: Python × platform, asked of the package registry by pip itself.

python release/wheels.py            writes the table into docs/install.md
python release/wheels.py --check    fails where the table promises what is no longer so

Markers are evaluated here, for pip takes them from the interpreter it runs on, whatever platform it is asked about.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "install.md"
BEGIN, END = "<!-- wheels: written by release/wheels.py -->\n", "<!-- end of wheels -->"
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
FAST, PLAIN, NO = "yes", "yes, numpy engine", "no"
UNREACHED = re.compile(r"connection|timed out|temporary failure|could not fetch", re.I)


@dataclass(frozen=True)
class Platform:
    """A row: what pip calls it, and what markers see."""

    title: str
    tags: tuple[str, ...]
    machine: str
    system: str = "linux"


def _glibc(version: int, machine: str) -> tuple[str, ...]:
    newer = [f"manylinux_2_{minor}_{machine}" for minor in range(version, 16, -1)]
    return (*newer, f"manylinux2014_{machine}")


PLATFORMS = (
    Platform("Linux x86-64, glibc 2.28 or newer", _glibc(28, "x86_64"), "x86_64"),
    Platform("Linux x86-64, glibc 2.17 (CentOS 7)", _glibc(17, "x86_64"), "x86_64"),
    Platform("Linux aarch64, glibc 2.28 or newer", _glibc(28, "aarch64"), "aarch64"),
    Platform("Linux x86-64, musl (Alpine)", ("musllinux_1_2_x86_64", "musllinux_1_1_x86_64"), "x86_64"),
    Platform("Linux aarch64, musl (Alpine)", ("musllinux_1_2_aarch64", "musllinux_1_1_aarch64"), "aarch64"),
    Platform("Linux ppc64le, glibc 2.28 or newer", _glibc(28, "ppc64le"), "ppc64le"),
    Platform("macOS 14 or newer, arm64", ("macosx_14_0_arm64",), "arm64", "darwin"),
    Platform("macOS 14 or newer, x86-64", ("macosx_14_0_x86_64",), "x86_64", "darwin"),
)


def wanted(platform: Platform, python: str) -> list[Requirement]:
    """The dependencies that apply there, without their markers."""
    seen = {
        "sys_platform": platform.system, "platform_machine": platform.machine, "python_version": python,
        "platform_python_implementation": "CPython", "extra": "",
    }  # fmt: skip
    listed = map(Requirement, tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"])
    found = [r for r in listed if r.marker is None or r.marker.evaluate(seen)]
    for requirement in found:
        requirement.marker = None
    return found


def ask(platform: Platform, python: str) -> str:
    """What an install from wheels alone would come to."""
    needed = wanted(platform, python)
    fast = any(r.name == "hyperscan" for r in needed)
    lacking = _lacking(platform, python, needed)
    return f"{NO}: {lacking}" if lacking else FAST if fast else PLAIN


def _lacking(platform: Platform, python: str, needed: list[Requirement]) -> str:
    """The first dependency without a wheel; "" where all have one.

    Raises:
        ConnectionError: if the registry cannot be reached.
    """
    tags = [word for tag in platform.tags for word in ("--platform", tag)]
    with tempfile.TemporaryDirectory() as target:
        run = subprocess.run(
            [
                sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--ignore-installed", "--no-deps",
                "--only-binary=:all:", "--target", target, "--python-version", python, "--implementation", "cp",
                *tags, *map(str, needed),
            ],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    if run.returncode == 0:
        return ""
    missing = re.search(r"No matching distribution found for ([\w.-]+)", run.stderr)
    if missing is None or UNREACHED.search(run.stderr):
        raise ConnectionError(run.stderr.strip().splitlines()[-1] if run.stderr.strip() else "pip failed")
    return missing[1]


def table(cells: dict[tuple[str, str], str]) -> str:
    """The cells in markdown."""
    rows = [f"| {p.title} | " + " | ".join(cells[p.title, v] for v in PYTHONS) + " |" for p in PLATFORMS]
    return "\n".join((f"| | {' | '.join(PYTHONS)} |", "|---|" + "---|" * len(PYTHONS), *rows)) + "\n"


def asked(left_out: Collection[tuple[str, str]] = ()) -> dict[tuple[str, str], str]:
    """All cells but some, two questions at a time."""
    places = [(p, v) for p, v in product(PLATFORMS, PYTHONS) if (p.title, v) not in left_out]
    with ThreadPoolExecutor(2) as pool:
        return {
            (p.title, v): cell for (p, v), cell in zip(places, pool.map(ask, *zip(*places, strict=True)), strict=True)
        }


def promised(page: str) -> dict[tuple[str, str], str]:
    """The cells that the page shows."""
    shown = [line for line in page.split(BEGIN, 1)[1].split(END, 1)[0].splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in shown[2:]]
    return {(title, version): cell for title, *cells in rows for version, cell in zip(PYTHONS, cells, strict=True)}


def broken(told: dict[tuple[str, str], str], now: dict[tuple[str, str], str]) -> list[str]:
    """Promises that do not hold."""
    return [
        f"{title}, Python {v}: {cell} is now {now.get((title, v))}"
        for (title, v), cell in told.items()
        if _worse(cell, now.get((title, v), NO))
    ]


def _worse(told: str, now: str) -> bool:
    order = (FAST, PLAIN)
    return told in order and (now not in order or order.index(now) > order.index(told))


def main(check: bool) -> int:
    """Write, or check; 0 as well where the registry here cannot tell. Where nothing is promised, nothing is checked."""
    page = PAGE.read_text(encoding="utf-8")
    told = promised(page)
    try:
        now = asked({place for place, cell in told.items() if cell.startswith(NO)} if check else ())
    except ConnectionError as error:
        print(f"not checked, the registry cannot be asked: {error}")
        return 0
    if not check:
        before, rest = page.split(BEGIN, 1)
        PAGE.write_text(f"{before}{BEGIN}\n{table(now)}\n{END}{rest.split(END, 1)[1]}", encoding="utf-8")
        return 0
    if sum(cell in (FAST, PLAIN) for cell in now.values()) <= len(PYTHONS):
        print("not checked: the registry here serves this platform alone")
        return 0
    failed = broken(told, now)
    print("\n".join(failed) or f"all {len(now)} promises of docs/install.md hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))

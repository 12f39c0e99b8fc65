"""What is published, and what installs without a network.

python release/build.py               sdist and wheel into dist/, checked, and tried on each Python that is here
python release/build.py --wheelhouse  dist/wheelhouse/: the wheel, all it needs, and how to install it with no index
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
NOTE = """Wheels of logtui and of all it needs, for {tag}. Without any network:

    python3 -m venv ~/logtui && ~/logtui/bin/pip install --no-index --find-links . logtui
    ~/logtui/bin/logtui --version
"""


class Unsound(Exception):
    """Something that must not be published."""


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """What a command prints.

    Raises:
        Unsound: if it fails.
    """
    print("+", *command, flush=True)
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    environment |= {"SOURCE_DATE_EPOCH": _epoch(), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    words = list(map(str, command))
    done = subprocess.run(words, cwd=cwd or ROOT, env=environment, capture_output=True, text=True, check=False)
    named_a_failure = done.returncode == 1 and Path(words[0]).name == "logtui"
    if done.returncode and not named_a_failure:
        raise Unsound(f"{' '.join(words)}: {done.stderr or done.stdout}")
    return done.stdout


def _epoch() -> str:
    """When the commit was made, so that two builds of it are the same bytes."""
    found = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "1577836800"


def build(target: Path) -> tuple[Path, Path]:
    """The source archive and the wheel."""
    run(sys.executable, "-m", "hatchling", "build", "-d", target)
    return next(target.glob("*.tar.gz")), next(target.glob("*.whl"))


def check(archive: Path, wheel: Path) -> None:
    """Whether the two hold what they must, can be built again to the byte, and render.

    Raises:
        Unsound: if not.
    """
    with tempfile.TemporaryDirectory() as again:
        for first, second in zip((archive, wheel), build(Path(again)), strict=True):
            if first.read_bytes() != second.read_bytes():
                raise Unsound(f"{first.name} is not reproducible")
    names = set(ZipFile(wheel).namelist())
    with tarfile.open(archive) as packed:
        kept = {name.partition("/")[2] for name in packed.getnames()}
    wanted = {"logtui/__main__.py", "logtui/py.typed", "logtui/tui/logtui.tcss", "logtui/tui/shell/logtui.1"}
    if lacking := (wanted - names) | ({"LICENSE", "CHANGELOG.md", "README.md", "pyproject.toml"} - kept):
        raise Unsound(f"lacks {', '.join(sorted(lacking))}")
    if not any(name.endswith("licenses/LICENSE") for name in names):
        raise Unsound("the wheel has no licence")
    print(run(sys.executable, "-m", "twine", "check", "--strict", archive, wheel))


def pythons() -> Iterator[str]:
    """An interpreter of each release that is here and new enough."""
    seen = set()
    homes = sorted(Path.home().glob(".pyenv/versions/*/bin/python3"))
    for name in (sys.executable, *map(str, homes), *(f"python3.{minor}" for minor in range(11, 16))):
        path = shutil.which(name)
        asked = [path or "", "-c", "import sys; print(*sys.version_info[:2], sep='.')"]
        version = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() if path else ""
        if version and tuple(map(int, version.split("."))) >= (3, 11) and version not in seen:
            seen.add(version)
            yield str(path)


def try_out(python: str, wheel: Path, *options: str) -> None:
    """Install into a bare environment and run it there.

    Raises:
        Unsound: if any of it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        run(python, "-m", "venv", home / "env")
        binary = home / "env" / "bin"
        run(binary / "pip", "install", "--quiet", "--only-binary=:all:", *options, wheel, cwd=home)
        print(run(binary / "logtui", "--version", cwd=home).strip())
        if '"data-loading-stall"' not in run(binary / "logtui", "--demo", "--json", "--no-cache", cwd=home):
            raise Unsound("the demo is judged otherwise")
        for shared in ("man/man1/logtui.1", "bash-completion/completions/logtui"):
            if not (home / "env" / "share" / shared).is_file():
                raise Unsound(f"no share/{shared}")


def wheelhouse() -> Path:
    """All wheels for this Python and platform in one folder; tried without an index."""
    house = DIST / "wheelhouse"
    shutil.rmtree(house, ignore_errors=True)
    house.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as target:
        wheel = build(Path(target))[1]
        shutil.copy(wheel, house)
    run(sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--dest", house, house / wheel.name)
    tag = f"Python {sys.version_info[0]}.{sys.version_info[1]} on {os.uname().sysname} {os.uname().machine}"
    (house / "README.txt").write_text(NOTE.format(tag=tag), encoding="utf-8")
    try_out(sys.executable, house / wheel.name, "--no-index", "--find-links", str(house))
    size = sum(path.stat().st_size for path in house.iterdir()) / 1e6
    print(f"{house}: {len(list(house.glob('*.whl')))} wheels, {size:.0f} MB, for {tag}")
    return house


def main(only_wheelhouse: bool) -> int:
    """Build, and say what is wrong, if anything."""
    try:
        if only_wheelhouse:
            wheelhouse()
            return 0
        DIST.mkdir(exist_ok=True)
        for old in (*DIST.glob("*.whl"), *DIST.glob("*.tar.gz")):
            old.unlink()
        archive, wheel = build(DIST)
        check(archive, wheel)
        for python in pythons():
            try_out(python, wheel)
    except Unsound as error:
        print(f"not sound: {error}", file=sys.stderr)
        return 1
    print(f"{archive.name} and {wheel.name} are sound")
    return 0


if __name__ == "__main__":
    sys.exit(main("--wheelhouse" in sys.argv[1:]))

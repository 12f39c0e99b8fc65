"""Keeps whoever asks inside the paths that a person gave."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from logtui.parsers.errors import LogtuiError, PathMissing


class OutsideRefused(LogtuiError):
    """A path does not lie below those that were given, whatever links lead to it."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path}: not below the paths this server was started with")
        self.path = path


class Confinement:
    """The paths that may be read."""

    def __init__(self, given: Sequence[Path]) -> None:
        """Raises PathMissing where one of them does not exist."""
        for path in given:
            if not path.exists():
                raise PathMissing(path, "no such file or directory")
        self.roots = tuple(path.resolve() for path in given)
        """Without links."""

    def inside(self, asked: str) -> Path:
        """The path that was asked for, without links; a relative one stands below the first root that has it.

        Raises:
            OutsideRefused: if it lies, or leads, outside.
        """
        try:
            found = next((path for path in self._places(asked) if self.holds(path)), None)
        except (OSError, ValueError, RuntimeError):  # a NUL, a loop of links, a name too long
            found = None
        if found is None:
            raise OutsideRefused(asked)
        return found.resolve()

    def _places(self, asked: str) -> list[Path]:
        path = Path(asked)
        if path.is_absolute():
            return [path]
        tops = (root if root.is_dir() else root.parent for root in self.roots)
        return [place for top in tops if (place := top / path).exists()]

    def holds(self, path: Path) -> bool:
        """Whether what a path leads to, now, lies below one of the roots."""
        real = path.resolve()
        return any(real.is_relative_to(root) for root in self.roots)

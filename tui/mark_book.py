"""The lines the user marked, with notes, in the order of files and lines."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logtui.diagnosis.marks import Mark


class MarkBook:
    """Marks by file and line; one per line."""

    def __init__(self, marks: Iterable[Mark] = ()) -> None:
        self._files: dict[str, dict[int, Mark]] = {}
        for mark in marks:
            self.put(mark)

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All of them."""
        return tuple(self._files[file][line] for file, line in self._places())

    def _places(self) -> list[tuple[str, int]]:
        return sorted((file, line) for file, lines in self._files.items() for line in lines)

    def at(self, file: str, line: int) -> Mark | None:
        """The mark of a line."""
        return self._files.get(file, {}).get(line)

    def of_file(self, file: str) -> dict[int, Mark]:
        """The marks of a file by line; changes as marks come and go."""
        return self._files.setdefault(file, {})

    def put(self, mark: Mark) -> None:
        """Mark a line, or change its note."""
        self.of_file(mark.file)[mark.line] = mark

    def remove(self, file: str, line: int) -> None:
        """Forget a mark."""
        self.of_file(file).pop(line, None)

    def beyond(self, file: str | None, line: int | None, direction: int) -> Mark | None:
        """The next or previous mark, round the end; None where there is none."""
        places = self._places()
        if not places:
            return None
        here = (file or "", line or 0)
        at = bisect_right(places, here) if direction > 0 else bisect_left(places, here) - 1
        found, number = places[at % len(places)]
        return self._files[found][number]

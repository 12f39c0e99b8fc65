"""What is shown of a line that is too long: the piece that matters, once the formats that know it are there."""

from __future__ import annotations

from logtui.parsers.gist import anchored, gist
from logtui.tui.shared.wording import cut


def formats_are_loaded() -> bool:
    """Whether the formats are there; the first time that takes several frames."""
    return anchored.cache_info().currsize > 0


def load_formats() -> None:
    """Have the formats there. On any thread."""
    anchored()


def fitted(text: str, width: int) -> str:
    """At most `width` characters, `…` where it is cut; its beginning while the formats are not there yet."""
    return gist(text, width) if formats_are_loaded() else cut(text, width)

"""Moving the choice of a list while something else has the focus."""

from __future__ import annotations

from textual.widgets import OptionList


def walk(listed: OptionList, direction: int) -> None:
    """Down where the direction is above zero, else up."""
    if direction > 0:
        listed.action_cursor_down()
    else:
        listed.action_cursor_up()

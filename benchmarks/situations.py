"""What is pressed in front of the stopwatch: how to get there, the keys pressed over and over, how to leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Keys = Sequence[str]
RESIZE = "resize"
"""Not a key: the terminal changes its size, and back."""
CHARACTERS = {
    "plus": "+", "minus": "-", "full_stop": ".", "comma": ",", "left_square_bracket": "[", "space": " ",
    "right_square_bracket": "]", "slash": "/", "ampersand": "&", "asterisk": "*", "vertical_line": "|",
    "question_mark": "?", "exclamation_mark": "!", "colon": ":",
}  # fmt: skip
TYPED = ("l", "o", "s", "s", "backspace", "backspace", "backspace", "backspace")


@dataclass(frozen=True)
class Situation:
    """One row of the table."""

    pane: str
    name: str
    there: Keys
    keys: Keys
    back: Keys = ()
    going_on: bool = False
    """Work goes on in the background meanwhile, and shows how far it is."""
    leaves: bool = False
    """Each key leads to another screen: only a frame of that one answers it."""
    needs: str = ""
    """`daemons` or `dumps`: what the case must hold."""

    @property
    def title(self) -> str:
        """`raw: pages`."""
        return f"{self.pane}: {self.name}"


def _screen(name: str, key: str, needs: str = "") -> Situation:
    return Situation("screens", name, ("1",), (key, "escape"), leaves=True, needs=needs)


SITUATIONS = (
    Situation("ranks", "arrows", ("1",), ("right", "down", "right", "down", "left", "up")),
    Situation("ranks", "pages", ("1",), ("pagedown", "pagedown", "pageup", "pageup")),
    Situation("ranks", "first, last", ("1",), ("G", "g")),
    Situation("ranks", "next odd", ("1",), ("n", "right")),
    Situation("ranks", "process group", ("1",), ("p", "P")),
    Situation("ranks", "odd first", ("1",), ("s",)),
    Situation("ranks", "fold, unfold", ("1",), ("F",)),
    Situation("ranks", "layout", ("1",), ("L",)),
    Situation("ranks", "modes", ("1",), ("v",) * 7 + ("V",) * 7),
    Situation("timeline", "time cursor", ("2", "0"), ("right", "right", "left")),
    Situation("timeline", "zoom", ("2",), ("plus", "plus", "minus", "minus")),
    Situation("timeline", "whole, failure", ("2",), ("0",)),
    Situation("timeline", "events", ("2",), ("down", "down", "up")),
    Situation("timeline", "pages", ("2",), ("pagedown", "pagedown", "pageup")),
    Situation("timeline", "next event", ("2",), ("full_stop", "full_stop", "comma")),
    Situation("findings", "rows", ("3",), ("down", "up")),
    Situation("findings", "cause, effect", ("3",), ("c", "e")),
    Situation("files", "rows", ("4",), ("down", "down", "up")),
    Situation("files", "pages", ("4",), ("pagedown", "pageup")),
    Situation("raw", "lines", ("5",), ("down", "down", "up")),
    Situation("raw", "pages", ("5",), ("pagedown", "pagedown", "pageup")),
    Situation("raw", "first, last line", ("5",), ("G", "g")),
    Situation("raw", "sideways", ("5",), ("right", "left")),
    Situation("raw", "wrap", ("5",), ("w",)),
    Situation("raw", "one rank's lines", ("5",), ("R", "R", "R"), going_on=True),
    Situation("raw", "type a search", ("5", "slash"), TYPED, ("escape",)),
    Situation("raw", "during a search", ("5", "slash", *"loss 2.1", "enter"), ("down", "down", "up"), going_on=True),
    Situation("raw", "next match", ("5",), ("n", "n", "N"), going_on=True),
    Situation("raw", "type a filter", ("5", "ampersand"), TYPED, ("escape",), going_on=True),
    Situation("raw", "during a filter", ("5", "ampersand", *"2.1", "enter"), ("down", "down", "up"),
              ("ampersand", "ctrl+a", "ctrl+k", "enter"), going_on=True),
    Situation("daemons", "rows", ("6",), ("down", "down", "up"), needs="daemons"),
    Situation("daemons", "time cursor", ("6",), ("right", "right", "left"), needs="daemons"),
    Situation("daemons", "zoom", ("6",), ("plus", "minus"), needs="daemons"),
    Situation("daemons", "counters", ("6",), ("s",), needs="daemons"),
    Situation("daemons", "failure only", ("6",), ("f",), needs="daemons"),
    Situation("dumps", "arrows", ("1", "d"), ("right", "down", "right", "up"), ("escape",), needs="dumps"),
    Situation("dumps", "pages", ("1", "d"), ("pagedown", "pageup"), ("escape",), needs="dumps"),
    Situation("any pane", "another pane", ("1",), ("2", "5", "1")),
    Situation("any pane", "back, forward", ("1", "c", "down", "c", "e", "1"),
              ("left_square_bracket", "right_square_bracket")),
    Situation("any pane", "zoom", ("1",), ("z",)),
    Situation("any pane", "resize", ("1",), (RESIZE,)),
    _screen("help", "question_mark"),
    _screen("palette", "ctrl+p"),
    _screen("finder", "f"),
    Situation("screens", "type in the finder", ("1", "f"), ("r", "1", "2", "backspace", "backspace", "backspace"),
              ("escape",)),
    _screen("jump letters", "ctrl+o"),
    _screen("report", "r"),
    _screen("export menu", "E"),
    _screen("two ranks", "vertical_line"),
    _screen("search all files", "asterisk"),
    _screen("odd lines", "b", "dumps"),
    _screen("dumps", "d", "dumps"),
)  # fmt: skip

"""One line of advice above the keys, gone with the next key."""

from __future__ import annotations

from textual.widgets import Static

FIRST_RUN = "enter proof · c cause · e effect · [ back · ? help · ctrl+p all there is"
"""What a user who has never been here needs."""


class HintLine(Static):
    """Takes no room until it has something to say."""

    DEFAULT_CSS = """
    HintLine { height: 1; padding: 0 1; background: $panel; color: $accent; }
    HintLine { text-wrap: nowrap; text-overflow: ellipsis; }
    HintLine.-silent { display: none; }
    """

    def __init__(self, id: str | None = None) -> None:
        super().__init__("", id=id, classes="-silent", markup=False)

    def say(self, words: str) -> None:
        """Show some words."""
        self.update(words)
        self.remove_class("-silent")

    def hush(self) -> None:
        """Give the line back."""
        self.add_class("-silent")

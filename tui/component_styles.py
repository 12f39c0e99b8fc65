"""Component styles of line-drawing widgets, taken apart: ink goes over ground, whatever order they come in.

The framework blends a component's colours with what lies below only when asked for the whole style; a piece of text
on the cursor's row needs the text's ink on the cursor's ground.
"""

from __future__ import annotations

from rich.style import Style
from textual.widget import Widget


class ComponentStyles:
    """The inks and grounds of one widget, kept until its style changes."""

    def __init__(self, widget: Widget, prefix: str) -> None:
        """`prefix` is what the names of the component classes begin with."""
        self._widget, self._prefix = widget, prefix
        self._inks: dict[str, Style] = {}
        self._grounds: dict[str, Style] = {}
        self._base: Style | None = None

    def clear(self) -> None:
        """The theme or the focus changed."""
        self._inks.clear()
        self._grounds.clear()
        self._base = None

    @property
    def base(self) -> Style:
        """The widget's own style. The framework gathers it from all ancestors each time it is asked."""
        if self._base is None:
            self._base = self._widget.rich_style
        return self._base

    def ink(self, name: str) -> Style:
        """Colour and weight of text, without what lies below it."""
        if name not in self._inks:
            whole = self._whole(name)
            self._inks[name] = Style(
                color=whole.color,
                bold=whole.bold,
                italic=whole.italic,
                underline=whole.underline,
                reverse=whole.reverse,
            )
        return self._inks[name]

    def ground(self, name: str) -> Style:
        """What lies below text, and whether it is turned round or bold."""
        if name not in self._grounds:
            whole = self._whole(name)
            self._grounds[name] = Style(bgcolor=whole.bgcolor, bold=whole.bold, reverse=whole.reverse)
        return self._grounds[name]

    def _whole(self, name: str) -> Style:
        return self._widget.get_component_rich_style(f"{self._prefix}--{name}")

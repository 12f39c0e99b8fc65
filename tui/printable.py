"""The last gate before the terminal: text from a log, or a file's name, without anything a terminal acts on."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text on one line, tabs as blanks, every sign that is not to be printed as `·`."""
    text = text.expandtabs(8) if "\t" in text else text
    return text if text.isprintable() else "".join(c if c.isprintable() else "·" for c in text)

"""Keys that people bring along: binding ids (the palette shows them) to keys, over the default ones."""

from __future__ import annotations

VIM = {
    "go.back": "ctrl+o,left_square_bracket",
    "go.jump": "ctrl+g",
    "go.next-event": "right_curly_bracket,full_stop",
    "go.previous-event": "left_curly_bracket,comma",
    "raw.page-up": "pageup,ctrl+b,ctrl+u",
    "raw.page-down": "pagedown,ctrl+f,ctrl+d,space",
    "list.page-up": "pageup,ctrl+b,ctrl+u",
    "list.page-down": "pagedown,ctrl+f,ctrl+d,space",
}

LNAV = {
    "go.next-event": "e,full_stop",
    "go.previous-event": "E,comma",
    "go.effect": "greater_than_sign",
    "go.cause": "less_than_sign",
    "raw.page-up": "pageup,b",
    "raw.page-down": "pagedown,space",
}

PRESETS: dict[str, dict[str, str]] = {"default": {}, "vim": VIM, "lnav": LNAV}

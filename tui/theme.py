"""Colours. States use the Okabe-Ito palette, which colour-blind eyes tell apart; glyphs say the same without it."""

from __future__ import annotations

from textual.theme import Theme

RANK_COLOURS: dict[str, str] = {
    "rank-never-entered": "#f0e442",
    "rank-behind": "#e69f00",
    "rank-crashed": "#ff6a3d",
    "rank-killed": "#ff6a3d",
    "rank-ahead": "#cc79a7",
    "rank-queued-ahead": "#cc79a7",
    "rank-exited": "#a0a0a0",
    "rank-silent": "#808080",
    "rank-waiting": "#56b4e9",
    "rank-healthy": "#00b884",
    "rank-absent": "#808080",
}
"""Theme variables every theme may override."""

LOGTUI_DARK = Theme(
    name="logtui-dark",
    primary="#56b4e9",
    secondary="#0072b2",
    accent="#e69f00",
    warning="#f0e442",
    error="#ff6a3d",
    success="#00b884",
    foreground="#d8dee4",
    background="#11151a",
    surface="#11151a",
    panel="#1c232b",
    dark=True,
    variables={"border": "#3a4652", "footer-key-foreground": "#e69f00"},
)

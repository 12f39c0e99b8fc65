"""Widgets that several panes and screens are made of."""

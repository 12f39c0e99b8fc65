"""The panes of the screen and what they are made of."""

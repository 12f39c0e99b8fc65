"""Findings to screens: the Textual app and the command line."""

import os

# What follows a key in other panes comes with the next frame but one: at 60 a second that is after 30 ms. The variable
# is read when the framework is imported; no more bytes are sent for it.
os.environ.setdefault("TEXTUAL_FPS", "120")

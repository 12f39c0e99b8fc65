"""Findings to screens: the Textual app and the command line."""

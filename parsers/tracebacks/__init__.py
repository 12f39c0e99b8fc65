"""Blocks that tell of a process's end: Python's tracebacks, their frames, and what launchers report of workers."""

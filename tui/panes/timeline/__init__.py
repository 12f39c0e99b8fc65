"""The lines that matter in order of time."""

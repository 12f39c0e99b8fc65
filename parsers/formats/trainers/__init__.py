"""Training frameworks: versions, steps, endings."""

"""From bytes to records: one native pass over all files, on all cores, kept for the next time."""

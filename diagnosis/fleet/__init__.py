"""Many jobs: a line for each, and what recurs over them."""

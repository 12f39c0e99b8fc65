"""Which files there are, their bytes, and any of their lines."""

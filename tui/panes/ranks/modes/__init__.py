"""What the rank grid can show of each rank: modules here declare it as `MODES`."""

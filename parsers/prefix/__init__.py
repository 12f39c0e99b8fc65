"""What stands before a line's own words: who wrote it, when, and what collectors put around it."""

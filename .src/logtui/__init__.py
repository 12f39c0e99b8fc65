"""Finds what killed a distributed training job, and shows the line that proves it."""

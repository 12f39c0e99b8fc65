"""What single ranks said, stopped saying, or said last: for failures that no rule declares."""

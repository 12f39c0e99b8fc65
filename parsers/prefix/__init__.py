"""Who wrote a line: the one grammar of what stands before its text, and its readers."""

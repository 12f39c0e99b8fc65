"""What a scan gives: matched lines in columns."""

"""What programs and agents ask about a job's logs, and the protocol in which they do."""

"""Which file of which storage daemon speaks of a time, and their counters."""

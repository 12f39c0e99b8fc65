"""AIStore daemon logs: names, records, dates, counters and messages, from AIStore 3.17 to 5.0."""

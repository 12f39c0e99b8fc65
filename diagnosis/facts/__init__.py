"""What the records of a case establish, each fact computed once."""

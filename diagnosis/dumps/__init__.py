"""What flight-recorder dumps say together: who waits in what, who is missing, who disagrees."""

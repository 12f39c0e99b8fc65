"""Storage: what AIStore's daemons say, in their own logs."""

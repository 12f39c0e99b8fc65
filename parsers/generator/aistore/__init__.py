"""Storage daemons of a written job."""

"""Flight-recorder dumps of a written job."""

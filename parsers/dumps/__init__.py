"""Flight-recorder dumps: untrusted pickles and JSON, read without running anything."""

"""Daemon messages, one small family per module, each a tuple named `SIGNATURES`."""

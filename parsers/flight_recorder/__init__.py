"""Flight-recorder dumps of PyTorch's c10d: read without torch, without trust, into columns."""

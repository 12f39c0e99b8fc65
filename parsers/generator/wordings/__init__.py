"""How PyTorch, NCCL, launchers and frameworks put it."""

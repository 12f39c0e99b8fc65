"""NCCL and its like."""

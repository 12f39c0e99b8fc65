"""PyTorch itself: process groups, stores, data loading, CUDA errors."""

"""What hands out nodes and takes them away."""

"""The kernel, its drivers, and tools that ask them."""

"""What starts ranks and ends them."""

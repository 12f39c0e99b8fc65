"""What rules ask of the facts."""

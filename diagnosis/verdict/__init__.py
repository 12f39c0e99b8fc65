"""Rules compete, and the winner becomes a report."""

"""Several attempts in the same files: elastic restarts, requeues, runs appended to each other."""

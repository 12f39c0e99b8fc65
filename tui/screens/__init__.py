"""The screens: one that shows a case, and those that open above it."""

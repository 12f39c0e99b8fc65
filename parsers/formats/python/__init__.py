"""Python and its libraries."""

"""What is written of a job and read back: JSON, markdown, case files, kept reports."""

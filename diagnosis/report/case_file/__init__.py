"""Case files: a report with the lines it rests on, in one archive that opens without the logs."""

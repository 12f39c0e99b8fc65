"""Bytes to records: finding files, reading them, scanning them, formats as declared data."""

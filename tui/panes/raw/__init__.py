"""Any line of any file: read, drawn, searched, filtered."""

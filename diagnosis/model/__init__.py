"""The shapes of what the diagnosis says, as frozen values: evidence, what single analyses find, and the report."""

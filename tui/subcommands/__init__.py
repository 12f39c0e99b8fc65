"""Commands beside opening and verifying: a module each, imported when it is named or all are listed."""

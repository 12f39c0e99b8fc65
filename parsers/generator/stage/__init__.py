"""A job before it is text: what it is, who is in it, what happens when, and into which files it goes."""

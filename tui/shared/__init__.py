"""What all of the screen shares: a report as panes ask about it, where the user is, words and looks. No widgets."""

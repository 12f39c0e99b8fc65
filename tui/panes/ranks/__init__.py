"""The ranks: a cell each, in one of several modes."""

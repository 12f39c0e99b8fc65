"""Finished reports kept beside the index: an unchanged job is not diagnosed again."""

"""Small whole jobs that read from an AIStore cluster, with the logs of both sides as captures of real ones look."""

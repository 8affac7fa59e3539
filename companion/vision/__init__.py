"""Pictures in, observations out. Knows no game in progress."""

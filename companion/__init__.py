"""The companion: tracks the table, reads the tiles, keeps the score. Knows no pins."""

"""Renders pictures of tiles and trains the reader's networks on them; no part of the product."""

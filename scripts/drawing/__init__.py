"""Drawings for paper: the printable hub and the wiring, in millimetres."""

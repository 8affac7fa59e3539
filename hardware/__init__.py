"""The edges that touch the machine: camera, lamps, buttons, and a simulated table."""

"""The measurements of ``scripts/benchmark``, one room for each thing that is measured."""

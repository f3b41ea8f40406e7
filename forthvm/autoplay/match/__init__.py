"""The playing of a match: its settings, schedule, games and workers.

The public names are those of `forthvm.autoplay`.
"""

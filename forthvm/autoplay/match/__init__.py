"""The playing of a match: its settings, schedule, games and workers.

This package must not know how results are counted or shown.  The public names are those of
`forthvm.autoplay`.
"""

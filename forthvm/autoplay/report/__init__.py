"""Reports: the results of a match as text, and as one HTML page.

This package must not know formulas (forthvm/autoplay/statistics).
"""

"""Pages about results files: served while the match runs, or written to a file.

Owns everything between a results file and a browser.
"""

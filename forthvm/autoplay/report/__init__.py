"""Reports: the results of a match as text, and as one HTML page."""

"""The source map of a loaded script: the token of each compiled cell, the cells of each line.

Owns the maps in both directions; source_cells.py starts from cells, code_map.py from lines.
"""

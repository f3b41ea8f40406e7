"""Studying at a table: engine lines, explanations, source files, and the tree of moves."""

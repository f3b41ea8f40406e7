"""Studying at a table: engine lines, explanations, source, the tree of moves."""

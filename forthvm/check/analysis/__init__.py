"""Static analysis of stack effects: abstract interpretation of all paths of each definition.

This package must not know findings or their texts.
"""

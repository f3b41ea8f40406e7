"""From the bytes of a rule file to its forms, with macros expanded.

Owns encodings, tokens, lists, included files and macros.
"""

"""From the bytes of a rule file to its forms, with macros expanded.

Owns encodings, tokens, lists, included files and macros.  It must not know what sections, pieces or
instructions mean.
"""

"""Information about words: the dictionary read from memory, decompiled code, the glossary.

This package reads a VM and must not change it.
"""

"""What is known of words: the dictionary read from memory, decompiled code, the glossary.

It reads a VM and changes nothing.
"""

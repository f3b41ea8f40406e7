"""Analysis of script texts: tokens, stack comments, missing words, repairs for loading.

This package must not know a VM.
"""

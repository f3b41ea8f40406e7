"""Loading: script files and which of them may be read, their texts, the library and its cache.

It must not know what the loaded words do.
"""

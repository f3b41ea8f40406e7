"""Editors: the language server, and the debug adapter.

Both translate a protocol of editors to the layers below; they own no knowledge about scripts.
"""

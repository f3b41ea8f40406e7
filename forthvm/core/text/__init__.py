"""Text for people and for the VM: encodings, wrapping, tables, and how messages name options.

No module of this package knows the VM.
"""

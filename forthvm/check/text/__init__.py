"""Scripts as text: tokens, comments, what is missing, and how a text is repaired for loading.

It must not know a VM.
"""

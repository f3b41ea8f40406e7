"""The language server for ForthScript and rule files of Zillions.

`server.py` speaks the protocol; the other files answer its requests from the text of a document and
the last analysis of its script.
"""

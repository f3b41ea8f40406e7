"""The games that ship with forthvm, one folder each; this package contains no Python code."""

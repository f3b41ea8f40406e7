"""The games that ship with forthvm, a folder each; holds no code."""

"""The games that ship with the project, a folder each (installed as ``forthvm._games``)."""

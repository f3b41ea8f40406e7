"""What differs between operating systems: files, folders, processes, pipes, terminals, limits.

Each module owns one concern and has the same functions on all systems.  No other package of
forthvm asks which system it runs on.
"""

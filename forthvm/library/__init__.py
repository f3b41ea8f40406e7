"""The library of a user: the games, saved games and results in folders and zip archives.

Files are described in processes that can be killed, since a rule file or a script may be damaged or
hostile.  Descriptions are cached.
"""

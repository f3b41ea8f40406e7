"""The subcommands, one module each: `forthvm why-not` is why_not.py.

A module defines DESCRIPTION, EPILOG, OPTIONS, the table of its options, and `run`.
forthvm/cli/app.py imports only the module of the subcommand on the command line.
"""

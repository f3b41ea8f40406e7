"""The subcommands, one module each: `forthvm why-not` is why_not.py.

A module defines DESCRIPTION, EPILOG, OPTIONS, the table of its options, and `run`.  The commands
that speak a protocol with another program are in protocols.py.  forthvm/cli/app.py imports only the
module of the subcommand on the command line.
"""

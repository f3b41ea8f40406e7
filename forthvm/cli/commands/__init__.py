"""The subcommands, one module each: `forthvm why-not` is why_not.py.

A module has DESCRIPTION, EPILOG, `configure` for its options and `run`.  forthvm/cli/app.py
imports only the one that is asked for.
"""

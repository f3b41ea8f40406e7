"""Debugging sessions: a target runs under the trace, stops, and continues or goes back.

Owns targets, breakpoints, watchpoints, the worker thread and the debugger's commands.
`forthvm.debug` exports the public names.
"""

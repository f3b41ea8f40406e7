"""The memory of a position: variables, random streams, scratch memory, differences.

This package owns their addresses in the VM's memory.  It must not know how moves are made.
"""

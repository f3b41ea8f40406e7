"""What the memory of a position holds: variables, random streams, scratch cells, differences.

It owns where these are in the VM's memory.  It must not know how moves are made.
"""

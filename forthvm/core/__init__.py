"""The core layer: the VM, its dictionary and outer interpreter, source map, errors.

It knows nothing of games as players see them; `forthvm.game` does.
"""

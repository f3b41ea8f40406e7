"""The core layer: the VM, its dictionary, the source texts, and errors.

It must not know boards, players or moves as Python objects; those belong to `forthvm.game`.
"""

"""The core layer: the VM, its dictionary, the source texts, and errors.

Boards, players and moves as Python objects belong to `forthvm.game`.
"""

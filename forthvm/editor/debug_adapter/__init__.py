"""The debug adapter: the Debug Adapter Protocol for sessions of `forthvm.debug`."""

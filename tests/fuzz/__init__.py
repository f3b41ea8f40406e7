"""Fuzzers of the command line: damaged and edited inputs end in one clear error."""

"""The rules that return findings, one module for each group of codes."""

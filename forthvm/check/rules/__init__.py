"""The rules that make findings, one module for each family of codes."""

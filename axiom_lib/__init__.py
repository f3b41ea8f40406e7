"""The Forth side of the library: core.4th (Forth in Forth) and axiom.4th (the game words)."""

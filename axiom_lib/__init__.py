"""The library in Forth source: core.4th (Forth in Forth) and axiom.4th (the game words)."""

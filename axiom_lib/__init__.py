"""The Forth side of the library, as package data (installed as ``forthvm._lib``)."""

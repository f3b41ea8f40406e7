"""The version, the only place it is written, except for CITATION.cff, which a test compares."""

__all__ = ["__version__"]

__version__ = "0.1.0"

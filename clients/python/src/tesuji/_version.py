"""The version, which is that of the contract."""

__version__ = "0.2.0"

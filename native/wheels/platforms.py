"""The platforms for which wheels are built.

Owns the table of platforms.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["PLATFORMS", "Platform"]


class Platform(NamedTuple):
    """An operating system and a processor."""

    name: str
    """The name on the command line, and the last part of the names of checks."""
    target: str
    """The platform as zig names it, with the oldest version of the system or of its C library."""
    tag: str
    """The tag of wheels.  A wheel may have several, separated by dots."""

    @property
    def system(self) -> str:
        """Return linux, macos or windows."""
        return self.target.split("-")[1].partition(".")[0]

    @property
    def processor(self) -> str:
        """Return x86_64 or aarch64."""
        return self.target.split("-")[0]

    @property
    def library(self) -> str:
        """Return the file name of the extension."""
        return "_native.pyd" if self.system == "windows" else "_native.abi3.so"


# The oldest systems are those that the wheels of cffi support.
PLATFORMS = (
    Platform(
        name="manylinux_x86_64",
        target="x86_64-linux-gnu.2.17",
        tag="manylinux2014_x86_64.manylinux_2_17_x86_64",
    ),
    Platform(
        name="manylinux_aarch64",
        target="aarch64-linux-gnu.2.17",
        tag="manylinux2014_aarch64.manylinux_2_17_aarch64",
    ),
    Platform("musllinux_x86_64", "x86_64-linux-musl", "musllinux_1_2_x86_64"),
    Platform("musllinux_aarch64", "aarch64-linux-musl", "musllinux_1_2_aarch64"),
    Platform("win_amd64", "x86_64-windows-gnu", "win_amd64"),
    Platform("win_arm64", "aarch64-windows-gnu", "win_arm64"),
    Platform("macosx_x86_64", "x86_64-macos.10.13", "macosx_10_13_x86_64"),
    Platform("macosx_arm64", "aarch64-macos.11.0", "macosx_11_0_arm64"),
)

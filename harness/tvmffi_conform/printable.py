# SPDX-License-Identifier: Apache-2.0
"""Text that came from a library, for a terminal or a file."""

from __future__ import annotations


def printable(text: str) -> str:
    """`text` on one line, with numbers for what a terminal would obey and XML may not hold."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)

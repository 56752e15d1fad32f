# SPDX-License-Identifier: Apache-2.0
"""Many implementations of the TVM FFI ABI, side by side, through the program tvmffi-conform."""

from __future__ import annotations

__all__ = ["HarnessError"]


class HarnessError(Exception):
    """Something a person has to look at: the message says what, where, and what to do."""

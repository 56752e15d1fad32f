# SPDX-License-Identifier: Apache-2.0
"""Values that are sent through the runtime and come back."""

from __future__ import annotations

import os

import tvm_ffi

# The library that takes the place of the package's own, if one does.
REPLACEMENT = os.environ.get("TVMFFI_LIBRARY")
LONG = "a text that is longer than seven bytes"


def echo(value: object) -> object:
    """Sends a value through the runtime and back."""
    return tvm_ffi.convert(lambda given: given)(value)

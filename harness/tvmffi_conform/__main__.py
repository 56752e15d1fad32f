# SPDX-License-Identifier: Apache-2.0
"""`python -m tvmffi_conform`."""

from .cli import main

main()

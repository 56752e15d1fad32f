# SPDX-License-Identifier: Apache-2.0
"""The package lies beside the tests.

It judges with the program that the tests are told of: that of another build may be older.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

if os.environ.get("TVMFFI_CONFORM_TOOL"):
    os.environ["TVMFFI_CONFORM"] = os.environ["TVMFFI_CONFORM_TOOL"]

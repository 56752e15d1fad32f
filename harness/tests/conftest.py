# SPDX-License-Identifier: Apache-2.0
"""The package lies beside the tests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

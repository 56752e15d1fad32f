# SPDX-License-Identifier: Apache-2.0
"""Every verdict is the same with the sandbox and without.

Usage: check_verdicts.py TOOL RUNTIME.so [OPTION...]
"""

from __future__ import annotations

import json
import subprocess
import sys


def verdicts(mode: str) -> dict[str, tuple[str, int]]:
    """The verdict of each case, and how many expectations did not hold."""
    tool, runtime, *options = sys.argv[1:]
    words = [tool, "run", "--quiet", f"--sandbox={mode}", "--report=json:-", *options, runtime]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        raise SystemExit(run.stderr)
    cases = json.loads(run.stdout)["cases"]
    return {case["id"]: (case["verdict"], case["expectations"]["failed"]) for case in cases}


def main() -> int:
    off, auto = verdicts("off"), verdicts("auto")
    others = [name for name in off | auto if off.get(name) != auto.get(name)]
    for name in others:
        print(f"{name}: {off.get(name)} without the sandbox, {auto.get(name)} in it")
    print(f"{len(off) - len(others)} of {len(off)} cases give the same")
    return 1 if others or not off else 0


if __name__ == "__main__":
    sys.exit(main())

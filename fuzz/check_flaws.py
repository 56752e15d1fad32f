#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether a fuzz target notices flaws: check_flaws.py PROGRAM SEEDS FLAW...

PROGRAM replays the target over SEEDS. A FLAW is the library of a mutant, which takes the place of
the runtime that PROGRAM is linked with, or flaws/<name>.c, which stands for every flaw that it
names. Without a flaw PROGRAM has to pass; with each it has to abort, and say which promise is
broken. Exit status: 0 all of that is so, 1 something is amiss.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NAME = re.compile(r'flaw\("([a-z-]+)"\)')
BROKEN = re.compile(r"^.*broken: .*$", re.M)


def flaws_of(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The flaws of a file, and by which variable of the environment each is planted."""
    if path.suffix == ".so":
        yield path.stem, {"LD_PRELOAD": str(path)}
        return
    for name in NAME.findall(path.read_text()):
        yield name, {"FUZZ_FLAW": name}


def replay(command: list[str], planted: dict[str, str]) -> tuple[int, str]:
    """The exit status, and what was said to be broken."""
    done = subprocess.run(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **planted},
        check=False,
    )
    broken = BROKEN.search(done.stderr.decode(errors="replace"))
    return done.returncode, broken[0] if broken else ""


def main() -> int:
    command, paths = sys.argv[1:3], map(Path, sys.argv[3:])
    flaws = [flaw for path in paths for flaw in flaws_of(path)]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # they abort on purpose
    status, broken = replay(command, {})
    unnoticed = [f"without a flaw: exit {status}, {broken}"] if status else []
    for name, planted in flaws:
        status, broken = replay(command, planted)
        noticed = status == -signal.SIGABRT and broken
        print(f"{name:40} {'' if noticed else 'NOT NOTICED: '}exit {status} {broken}")
        if not noticed:
            unnoticed.append(name)
    print(f"{len(flaws)} flaws; not noticed: {', '.join(unnoticed) or 'none'}")
    return 1 if unnoticed or not flaws else 0


if __name__ == "__main__":
    sys.exit(main())

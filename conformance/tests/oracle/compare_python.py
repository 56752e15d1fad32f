# SPDX-License-Identifier: Apache-2.0
"""The oracle for payloads against the reader in Python, on payloads that were changed at random.

compare_python.py PROGRAM VECTORS    PROGRAM is bin_oracle_lines, VECTORS the folder spec/vectors
Exit status: 0 they agree, 1 they differ.
"""

import json
import random
import subprocess
import sys
from pathlib import Path

COUNT = 20000
LARGE = (1 << 61, (1 << 63) - 1, (1 << 64) - 1)


def changed(payload: bytes, draw: random.Random) -> bytes:
    """The payload with up to three changes; nbytes is right, mostly."""
    data = bytearray(payload)
    for _ in range(draw.randrange(4)):
        at = draw.randrange(len(data) + 1)
        way = draw.randrange(4)
        if way == 0 and at < len(data):
            data[at] ^= draw.randrange(1, 256)
        elif way == 1:
            del data[at : at + draw.randrange(24)]
        elif way == 2:
            data[at:at] = data[at : at + draw.randrange(24)]
        elif at + 8 <= len(data):
            number = draw.choice((draw.randrange(12), len(data), *LARGE))
            data[at & ~7 : (at & ~7) + 8] = number.to_bytes(8, "little")
    if len(data) >= 8 and draw.randrange(16):
        data[:8] = (len(data) - 8).to_bytes(8, "little")
    return bytes(data)


def line_of(found: object) -> str:
    """What the Python reader found, in the words of the program."""
    if isinstance(found, tuple):
        rule, offset = found
        return rule if rule == "cycle" else f"{rule} {offset}"
    assert isinstance(found, list)
    modules = [
        ":".join([kind.hex(), "-" if value is None else value.hex(), *map(str, imports)])
        for kind, value, imports in found
    ]
    return " ".join(["tree", *modules])


def main(program: str, folder: str) -> int:
    sys.path.insert(0, folder)
    from library_bin_reader import read

    rows = json.loads(Path(folder, "library_bin.json").read_text(encoding="utf-8"))["payloads"]
    draw = random.Random(1)
    vectors = [bytes.fromhex(row["bytes"]) for row in rows]
    payloads = vectors + [changed(draw.choice(vectors), draw) for _ in range(COUNT)]
    lines = "".join(payload.hex() + "\n" for payload in payloads)
    ran = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    answers = ran.stdout.splitlines()
    differences = [
        f"{payload.hex()}: the oracle finds {answer!r}, the reader {line_of(read(payload))!r}"
        for payload, answer in zip(payloads, answers)
        if answer != line_of(read(payload))
    ]
    if len(answers) != len(payloads):
        differences.append(f"{len(answers)} answers for {len(payloads)} payloads")
    print(*differences[:5], sep="\n")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

# SPDX-License-Identifier: Apache-2.0
"""Reads a wheel, in a process of its own: unpack_one.py FD WHEEL

The files in it are written to the descriptor FD in parts: a letter, the number of bytes, and those.
`F` is the name of a file, `D` some of what is in it, `E` why the wheel cannot be read, `Z` the end.
"""

import os
import resource
import stat
import struct
import sys
import zipfile
import zlib

HEAD = struct.Struct("<cI")
PART = 1 << 20
MOST_MEMORY = 2 << 30
TROUBLE = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, OSError, ValueError)


def main() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    with os.fdopen(int(sys.argv[1]), "wb") as out:

        def put(kind: bytes, what: bytes) -> None:
            out.write(HEAD.pack(kind, len(what)) + what)

        try:
            with zipfile.ZipFile(sys.argv[2]) as archive:
                for member in archive.infolist():
                    if member.is_dir():
                        continue
                    if stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG):
                        raise ValueError(f"the member {member.filename!r} is not a file")
                    put(b"F", member.filename.encode())
                    with archive.open(member) as source:
                        while part := source.read(PART):
                            put(b"D", part)
            put(b"Z", b"")
        except TROUBLE as error:
            put(b"E", str(error).encode(errors="replace")[:PART])


main()

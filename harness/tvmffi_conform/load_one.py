# SPDX-License-Identifier: Apache-2.0
"""Loads one module in one runtime, in a process of its own: load_one.py FD RUNTIME MODULE BINDING

What came of it is written to the descriptor FD; nothing is, if the process does not come to that.
The C function is called, because ctypes and `dlopen` of Python bind eagerly whatever they are told.
"""

import ctypes
import os
import resource
import sys

BINDINGS = {"lazy": os.RTLD_LAZY, "now": os.RTLD_NOW}
MOST_MEMORY = 8 << 30


def main() -> None:
    answer, runtime, module, binding = int(sys.argv[1]), *sys.argv[2:]
    os.set_inheritable(answer, False)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    process = ctypes.CDLL(None)
    process.dlopen.restype = ctypes.c_void_p
    process.dlopen.argtypes = [ctypes.c_char_p, ctypes.c_int]
    process.dlerror.restype = ctypes.c_char_p
    wanted = [("runtime", runtime, os.RTLD_NOW | os.RTLD_GLOBAL)]
    wanted += [("module", module, BINDINGS[binding] | os.RTLD_LOCAL)]
    for what, path, mode in wanted:
        if not process.dlopen(os.fsencode(path), mode):
            os.write(answer, what.encode() + b" " + (process.dlerror() or b"no reason given"))
            os._exit(0)
    os.write(answer, b"loaded")
    os._exit(0)


main()

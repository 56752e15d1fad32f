# SPDX-License-Identifier: Apache-2.0
"""For every finding of `inspect` about wheels a library in a wheel that has it, and a near miss."""

from __future__ import annotations

import platform
from dataclasses import replace

from findings_table import ADD, FULL_RUNTIME, SONAME, Build, Row, calls

OWN_TAG = platform.machine()
OTHER_TAG = "aarch64" if OWN_TAG == "x86_64" else "x86_64"
INIT_ONCE = "TVMFFIHandleInitOnce"  # since 0.1.5
NEEDS_2_38 = ADD + "extern int of_2_38(void); int use_it(void) { return of_2_38(); }\n"


def wheel(source: str, tag: str, *requires: str, flags: tuple[str, ...] = ()) -> Build:
    return Build(
        source,
        flags,
        wheel=f"some_kernels-1.0-py3-none-{tag}.whl",
        metadata="".join(f"Requires-Dist: {one}\n" for one in requires),
    )


WHEELS = [
    Row(
        "wheel.bundled-runtime",
        wheel(FULL_RUNTIME, f"manylinux_2_28_{OWN_TAG}", flags=SONAME),
        replace(
            wheel(FULL_RUNTIME, f"manylinux_2_28_{OWN_TAG}", flags=SONAME),
            wheel=f"apache_tvm_ffi-9.9-py3-none-manylinux_2_28_{OWN_TAG}.whl",
        ),
    ),
    Row(
        "wheel.other-machine",
        wheel(ADD, f"manylinux_2_28_{OTHER_TAG}"),
        wheel(ADD, f"manylinux_2_28_{OTHER_TAG}.manylinux_2_28_{OWN_TAG}"),
    ),
    Row("wheel.tagged-any", wheel(ADD, "any"), wheel(ADD, f"linux_{OWN_TAG}")),
    Row(
        "wheel.above-tag",
        wheel(NEEDS_2_38, f"manylinux_2_28_{OWN_TAG}", flags=("@libc@",)),
        wheel(NEEDS_2_38, f"manylinux_2_38_{OWN_TAG}", flags=("@libc@",)),
    ),
    Row(
        "wheel.above-tag",
        wheel(NEEDS_2_38, f"manylinux2014_{OWN_TAG}.manylinux_2_38_{OWN_TAG}", flags=("@libc@",)),
        wheel(NEEDS_2_38, f"linux_{OWN_TAG}", flags=("@libc@",)),
    ),
    Row(
        "wheel.above-tag",
        wheel(NEEDS_2_38, f"musllinux_1_2_{OWN_TAG}", flags=("@libc@",)),
        wheel(ADD, f"musllinux_1_2_{OWN_TAG}", flags=("-nostdlib",)),
    ),
    *(
        Row(
            "wheel.requires-too-little",
            wheel(calls(INIT_ONCE), f"manylinux_2_28_{OWN_TAG}", f"apache-tvm-ffi{too_little}"),
            wheel(calls(INIT_ONCE), f"manylinux_2_28_{OWN_TAG}", f"Apache.TVM_ffi{enough}"),
        )
        for too_little, enough in [
            (">=0.1.0", ">=0.1.5"),
            ("", "~=0.1.5 ; python_version>'3'"),
            (" (>=0.1.4,<0.2)", "[cpp] (>0.1.4,<0.2)"),
            ("==0.1.*", "==0.1.9"),
            (
                ">0.1\nRequires-Dist: apache-tvm-ffi<0.1.5",
                ">0.1\nRequires-Dist: apache-tvm-ffi>0.1.4",
            ),
            ("!=0.1.0", ">=0.1,!=0.1.0,!=0.1.1,!=0.1.2,!=0.1.3,!=0.1.4"),
        ]
    ),
    Row(
        "wheel.runtime-not-required",
        wheel(calls("TVMFFIBacktrace"), f"manylinux_2_28_{OWN_TAG}", flags=("@runtime@",)),
        wheel(
            calls("TVMFFIBacktrace"),
            f"manylinux_2_28_{OWN_TAG}",
            "numpy",
            "apache-tvm-ffi >= 0.1.0",
            flags=("@runtime@",),
        ),
    ),
]

# SPDX-License-Identifier: Apache-2.0
import zlib
from typing import Annotated, Optional

from tvmffi_conform.kernels import Examples, Range, kernel


@kernel(
    refuses=[{"when": "before is not None and before < 0", "kind": "OverflowError"}],
    promises=["repeatable"],
    calls=[
        {
            "arguments": {"data": b"123456789", "before": None},
            "expected": {"result": "0xcbf43926"},
        },
        {"arguments": {"data": b"", "before": 17}, "expected": {"result": "17"}},
    ],
)
def crc_bytes(
    data: Annotated[
        bytes, Examples(b"", b"a", b"1234567", b"12345678", "é und mehr davon".encode())
    ],
    before: Optional[Annotated[int, Range(0, 0xFFFFFFFF)]],
) -> int:
    return zlib.crc32(data, before or 0)

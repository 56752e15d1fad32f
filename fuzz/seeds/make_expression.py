#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of the fuzzer of expressions: make_expression.py FOLDER NAME."""

from __future__ import annotations

import sys
from pathlib import Path

import found

TEXTS = """\
2*k + n // 3 - -h ** 2
1 <= k <= n and n % 4 == 0 or not x != 3
x[0, ::-1] + x[..., None, 1:][k + 3, 0]
x[[0, 1, -1], n - 4:]
where(isnan(x), 0, exp(x - max(x, axis=-1, keepdims=True)))
x @ transpose(x, (1, 0)) @ ones((2,))
reshape(arange(1, 7, 2.5), (-1, 1)).T.sum(axis=(0, 1))
sort(x, descending=True)[argsort(x, axis=0)[0], 0] if n > 3 else m
cast(x * 0x1F, "float8_e4m3fn") >> 1
(n & 0b11 | ~k ^ 7) << 2
concat((x, [[1, 2, 3]]), axis=0) - stack(p, axis=1)
scatter_add(zeros((n,)), [0, 1, 1], x.shape[0]) % bincount([1, 2], n)
clip(mean(x, axis=0), None, 1e-3) == cumsum(x)[:3]
take_along_axis(x, argmax(x, axis=1, keepdims=True), axis=1)
o is None and m == 'relu' and x.dtype != "float16"
repeat(full((2, 2), h), 2, axis=-1).size + len(p) + min(k, n, 3)
var(x, ddof=1) + std(x) + prod(x) + any(x) + all(x)
p
m
o
x > 1
x
n
nan
(n, x)
[1, 2,]
n +
relu(x)
x[0
1 if n
zeros((9, 9, 9, 9, 9))
2 ** 70
y + 1
"a
x.rows
sum(x, axes=1)
x[9]
n n
"""


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    for number, text in enumerate(TEXTS.splitlines()):
        (folder / f"{number:02}").write_text(text)
    (folder / "deep").write_text("(" * 300)
    found.write(folder, sys.argv[2])


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""The language of signature files against NumPy, on expressions made up at random; and .npy files.

compare_numpy.py PROGRAM [COUNT]    PROGRAM is expression_lines
Exit status: 0 they agree, 1 they differ, 77 there is no NumPy.
"""

import ast
import random
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

try:
    import numpy as np
except ImportError:
    print("there is no NumPy")
    sys.exit(77)

COUNT = 4000
DRAW = random.Random(17)
warnings.simplefilter("ignore")

# Floats are multiples of 1/4, so that sums and products are exact in both.
ARRAYS: dict[str, Any] = {
    "f": np.array([[-1.5, 0.25, 2.0], [3.75, -0.5, 1.0]]),
    "g": np.array([0.5, -2.25, 4.0]),
    "h": np.array([[[1.0, -2.0], [0.25, 3.0], [4.0, -0.75]]]),
    "i": np.array([[7, -3, 0], [12, 5, -8]], dtype=np.int64),
    "j": np.array([2, 0, 1], dtype=np.int64),
    "b": np.array([[True, False, True], [False, False, True]]),
    "s": np.array(2.5),
    "n": np.array(3, dtype=np.int64),
    "o": np.zeros((2, 0)),
    "w": np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0]),
}


def erf(x: Any) -> Any:
    import math

    return np.vectorize(math.erf, otypes=[float])(x)


def extreme(pair: Any, reduce: Any) -> Callable[..., Any]:
    """max or min: of the elements of one array, or of several."""

    def of(*values: Any, **options: Any) -> Any:
        if len(values) == 1:
            return reduce(values[0], **options)
        best = values[0]
        for value in values[1:]:
            best = pair(best, value)
        return best

    return of


def sort(x: Any, axis: int = -1, descending: bool = False) -> Any:
    return take(x, order(x, axis, descending), axis)


def take(x: Any, indices: Any, axis: int) -> Any:
    return np.take_along_axis(np.asarray(x), indices, axis)


def order(x: Any, axis: int = -1, descending: bool = False) -> Any:
    x = np.asarray(x)
    if x.ndim == 0:
        raise ValueError("a number has no order")
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    back = np.flip(np.argsort(np.flip(x, axis), axis=axis, kind="stable"), axis)
    return x.shape[axis] - 1 - back


def scatter_add(x: Any, indices: Any, values: Any) -> Any:
    out = np.array(x, dtype=np.result_type(x, values))
    np.add.at(out, indices, values)
    return out


def wide(x: Any) -> Any:
    """The elements in the widest type of their kind, as the language has no others."""
    return x.astype({"i": np.int64, "u": np.int64, "f": np.float64, "b": bool}[x.dtype.kind])


def of_floats(function: Any) -> Callable[..., Any]:
    return lambda *values: function(*(np.asarray(value, dtype=np.float64) for value in values))


FUNCTIONS: dict[str, Any] = {
    name: getattr(np, name)
    for name in [
        "abs",
        "all",
        "any",
        "arange",
        "argmax",
        "argmin",
        "array",
        "broadcast_to",
        "ceil",
        "clip",
        "cumprod",
        "cumsum",
        "floor",
        "fmod",
        "isfinite",
        "isinf",
        "isnan",
        "matmul",
        "maximum",
        "mean",
        "minimum",
        "ndim",
        "ones",
        "prod",
        "repeat",
        "reshape",
        "round",
        "shape",
        "sign",
        "size",
        "stack",
        "std",
        "sum",
        "take_along_axis",
        "transpose",
        "trunc",
        "var",
        "where",
        "zeros",
    ]
}
FUNCTIONS |= {
    name: of_floats(getattr(np, name))
    for name in [
        "arccos",
        "arcsin",
        "arctan",
        "arctan2",
        "cbrt",
        "copysign",
        "cos",
        "cosh",
        "exp",
        "exp2",
        "expm1",
        "hypot",
        "log",
        "log10",
        "log1p",
        "log2",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
    ]
}
FUNCTIONS |= {
    "argsort": order,
    "bincount": lambda x, n: np.bincount(x, minlength=n),
    "concat": np.concatenate,
    "erf": erf,
    "erfc": lambda x: 1 - erf(x),
    "len": len,
    "max": extreme(np.maximum, np.max),
    "min": extreme(np.minimum, np.min),
    "full": lambda shape, x: np.broadcast_to(x, shape),
    "None": None,
    "pow": lambda x, y: x**y,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "scatter_add": scatter_add,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "sort": sort,
    "pi": np.pi,
    "inf": np.inf,
    "nan": np.nan,
    "cast": lambda x, name: wide(np.asarray(x).astype(name)),
}


# --- Expressions ----------------------------------------------------------------------------------

MATH = [
    "arctan",
    "cos",
    "cosh",
    "erf",
    "exp",
    "exp2",
    "expm1",
    "sigmoid",
    "sin",
    "sqrt",
    "tanh",
    "cbrt",
    "log",
    "log2",
    "log10",
    "log1p",
    "rsqrt",
    "tan",
]
REDUCTIONS = ["sum", "max", "min", "mean", "prod", "var", "std", "any", "all"]
SORTS = ["sort", "argsort"]
SORTED = ["", ", axis=0", ", descending=True"]
RANGES = ["4", "1, 7, 2", "5, 0, -1", "0.5, 3", "0"]
OF_SPECIAL = ["isnan", "isinf", "isfinite", "abs", "sign", "sqrt", "floor", *SORTS, "argmax"]
OF_SPECIAL += ["sum", "max", "min"]
SHAPED = ["f", "g", "h", "i", "j", "s", "n", "o"]


def leaf() -> str:
    return DRAW.choice(
        [
            DRAW.choice(SHAPED),
            str(DRAW.randrange(5)),
            DRAW.choice(["0.5", "1.25", "2.0", "-3", "1e2"]),
        ]
    )


def axis() -> str:
    return DRAW.choice(["", ", axis=0", ", axis=-1", ", axis=1", ", axis=(0, 1)", ", axis=None"])


def index() -> str:
    parts = [
        "0",
        "-1",
        "1",
        ":",
        "::-1",
        "1:",
        ":2",
        "::2",
        "-2:",
        "1:1",
        "2:0:-1",
        "...",
        "None",
        "j",
        "j[:2]",
        "[0, 1]",
        "n - 2",
    ]
    return ", ".join(DRAW.choice(parts) for _ in range(DRAW.randrange(1, 4)))


def integer(depth: int) -> str:
    if depth <= 0:
        return DRAW.choice(["i", "j", "n", "3", "-2", "0x1f"])
    a, b = integer(depth - 1), integer(depth - 1)
    way = DRAW.randrange(6)
    if way < 3:
        return f"({a} {DRAW.choice(['&', '|', '^', '+', '-', '*'])} {b})"
    if way == 3:
        return f"({a} {DRAW.choice(['<<', '>>'])} {DRAW.randrange(6)})"
    if way == 4:
        return f"~{a}"
    return f"({a} {DRAW.choice(['//', '%'])} {DRAW.choice(['3', '-5', '7'])})"


def condition(depth: int) -> str:
    a, b = value(depth - 1), value(depth - 1)
    way = DRAW.randrange(4)
    if way == 0:
        return f"({a} {DRAW.choice(['<', '<=', '>', '>=', '==', '!='])} {b})"
    if way == 1:
        return f"~({a} < {b})"
    if way == 2:
        return f"(({a} < {b}) & ({b} != 0))"
    return f"isnan({a})"


def value(depth: int) -> str:
    if depth <= 0:
        return leaf()
    a, b = value(depth - 1), value(depth - 2)
    ways: list[Callable[[], str]] = [
        lambda: f"({a} {DRAW.choice(['+', '-', '*', '/', '+', '-', '*'])} {b})",
        lambda: f"{a} {DRAW.choice(['+', '-', '*', '/'])} {b}",
        lambda: f"({a}) // {DRAW.choice(['2', '-0.5', '1.25'])}",
        lambda: f"({a}) % {DRAW.choice(['2', '-0.75', '3'])}",
        lambda: f"-({a}) ** 2",
        lambda: f"({a} @ {b})",
        lambda: f"{DRAW.choice(REDUCTIONS)}({a}{axis()}{DRAW.choice(['', ', keepdims=True'])})",
        lambda: (
            f"{DRAW.choice(['argmax', 'argmin'])}({a}{DRAW.choice(['', ', axis=0', ', axis=-1'])})"
        ),
        lambda: (
            f"{DRAW.choice(['cumsum', 'cumprod'])}({a}{DRAW.choice(['', ', axis=0', ', axis=-1'])})"
        ),
        lambda: f"{DRAW.choice(SORTS)}({a}{DRAW.choice(SORTED)})",
        lambda: f"{DRAW.choice(['abs', 'floor', 'ceil', 'trunc', 'round', 'sign'])}({a})",
        lambda: f"{DRAW.choice(MATH)}({a})",
        lambda: f"({a})[{index()}]",
        lambda: f"{DRAW.choice(['f', 'h', 'i', 'g'])}[{index()}]",
        lambda: f"transpose({a})",
        lambda: f"transpose({a}, ({DRAW.choice(['1, 0', '0, 2, 1', '2, 0, 1'])}))",
        lambda: f"reshape({a}, ({DRAW.choice(['-1', '3, -1', '2, 3', '6, 1', '1, -1, 1'])},))",
        lambda: f"concat(({a}, {b}), axis={DRAW.choice(['0', '-1', '1'])})",
        lambda: f"stack(({a}, {b}), axis={DRAW.choice(['0', '-1', '1'])})",
        lambda: f"where({condition(depth - 1)}, {a}, {b})",
        lambda: f"clip({a}, -1, {DRAW.choice(['2', 'None', '0.5'])})",
        lambda: f"maximum({a}, {b})",
        lambda: f"min({a}, {b}, 1)",
        lambda: f"({a}).{DRAW.choice(['T', 'shape', 'ndim', 'size'])}",
        lambda: f"({a}).sum({DRAW.choice(['', 'axis=0', 'axis=-1, keepdims=True'])})",
        lambda: f"arange({DRAW.choice(RANGES)}) * {DRAW.choice(['2', 'n', '0.5'])}",
        lambda: f"broadcast_to({a}, (2, 2, 3))",
        lambda: f"repeat({a}, 2{DRAW.choice(['', ', axis=0', ', axis=-1'])})",
        lambda: f"repeat(i[0], j[:{DRAW.choice(['3', '2'])}] % 3)",
        lambda: f"repeat(f, array([{DRAW.choice(['2, 0', '1, 3', '0, 0'])}]), axis=0)",
        lambda: f"full((2, 3), {b})",
        lambda: f"scatter_add(f, j[:{DRAW.choice(['2', '1'])}] % 2, {b})",
        lambda: f"take_along_axis(i, argsort(f, axis={DRAW.choice(['0', '1'])}), axis=1)",
        lambda: f"take_along_axis(i, j[:{DRAW.choice('12')}, None] % 2, {DRAW.choice('01')})",
        lambda: f"cast({a}, {DRAW.choice(['float16', 'float32', 'bool'])!r})",
        lambda: f"cast({integer(2)}, {DRAW.choice(['int8', 'uint8', 'int32', 'int64'])!r})",
        lambda: integer(depth),
        lambda: condition(depth),
        lambda: f"(b & {condition(1)})",
        lambda: f"{DRAW.choice(OF_SPECIAL)}(w)",
        lambda: f"({a} if {DRAW.choice(['n > 2', 'n < 2', 's == 2.5'])} else {b})",
    ]
    return DRAW.choice(ways)()


# --- Comparison -----------------------------------------------------------------------------------


class Scalars(ast.NodeTransformer):
    """Has numbers be NumPy's, which divide by 0."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if type(node.value) not in (int, float):
            return node
        name = "int64" if isinstance(node.value, int) else "float64"
        return ast.Call(ast.Name(name, ast.Load()), [node], [])


def by_numpy(text: str) -> Any:
    tree = ast.fix_missing_locations(Scalars().visit(ast.parse(text, mode="eval")))
    names = {**FUNCTIONS, **ARRAYS, "int64": np.int64, "float64": np.float64}
    with np.errstate(all="ignore"):
        return np.asarray(eval(compile(tree, text, "eval"), {}, names))


# What NumPy refuses and the language takes: arithmetic with conditions, an axis of a number.
TAKEN = ("bool", "Bool", "for array of dimension 0", "can't multiply sequence")


def read(line: str) -> Any:
    kind, rank, *rest = line.split(" ")
    shape = [int(word) for word in rest[: int(rank)]]
    words = rest[int(rank) :]
    if kind == "float":
        elements: Any = np.array([float.fromhex(word) for word in words], dtype=np.float64)
    else:
        elements = np.array([int(word) for word in words], dtype=np.int64)
    return elements.reshape(shape)


def difference(text: str, line: str) -> str:
    """What the two differ in, "" if they agree, or if neither takes it."""
    try:
        expected = by_numpy(text)
    except AttributeError:
        return ""  # what is a number or a tuple of Python's here
    except (
        ValueError,
        IndexError,
        TypeError,
        np.exceptions.AxisError,
        OverflowError,
    ) as problem:
        fits = line.startswith("!") or any(word in str(problem) for word in TAKEN)
        return "" if fits else f"NumPy refuses it: {problem}"
    if expected.dtype.kind not in "biuf":
        return ""
    if line.startswith("!"):
        return "" if "more than 64 bits" in line else f"refused: {line}"
    seen = read(line)
    if expected.dtype.kind == "b" and not line.startswith("bool"):
        return ""  # True + True is True for NumPy, and 2 for Python
    if seen.shape != expected.shape:
        return f"shape {seen.shape} instead of {expected.shape}"
    if np.allclose(seen, expected.astype(np.float64), rtol=1e-9, atol=1e-9, equal_nan=True):
        return ""
    return f"{seen.tolist()} instead of {expected.tolist()}"


# --- Files ----------------------------------------------------------------------------------------


def files() -> list[Any]:
    """Arrays of each type, shape and order that is read."""
    types = [
        "?",
        "i1",
        "u1",
        "<i2",
        ">i2",
        "<u4",
        ">u4",
        "<i8",
        ">u8",
        "<f2",
        ">f2",
        "<f4",
        ">f4",
    ]
    types += ["<f8", ">f8"]
    shapes = [(), (0,), (5,), (2, 3), (2, 0, 3), (2, 3, 4), (1,) * 8]
    arrays = [
        np.asarray(
            (np.arange(np.prod(shape, dtype=int)) - 3).reshape(shape).astype(dtype),
            order=order,
        )
        for dtype in types
        for shape in shapes
        for order in "CF"
    ]
    raw = [
        np.arange(6, dtype=np.uint16).view("V2"),
        np.arange(6, dtype=np.uint8).view("V1"),
    ]
    return arrays + raw


def file_differences(program: str) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        arrays = files()
        lines = []
        for number, array in enumerate(arrays):
            source, target = (
                Path(folder, f"{number}.npy"),
                Path(folder, f"{number}.out.npy"),
            )
            version = [(1, 0), (2, 0), (3, 0)][number % 3]
            with source.open("wb") as out:
                np.lib.format.write_array(out, array, version=version)
            lines.append(f"npy {source} {target}\n")
        ran = subprocess.run(
            [program], input="".join(lines), capture_output=True, text=True, check=True
        )
        answers = ran.stdout.splitlines()
        found = []
        for number, (array, answer) in enumerate(zip(arrays, answers)):
            what = f"{array.dtype.str} {array.shape}"
            if answer != "ok":
                found.append(f"{what}: {answer}")
                continue
            seen = np.load(Path(folder, f"{number}.out.npy"))
            if seen.shape != array.shape or seen.tolist() != array.tolist():
                found.append(f"{what}: {seen.tolist()} instead of {array.tolist()}")
        return found if len(answers) == len(arrays) else [*found, "too few answers"]


def main(program: str, count: str = str(COUNT)) -> int:
    texts = [value(DRAW.randrange(1, 4)) for _ in range(int(count))]
    lines = []
    for name, array in ARRAYS.items():
        kind = {"b": "bool", "i": "int", "f": "float"}[array.dtype.kind]
        words = [kind, array.ndim, *array.shape]
        words += [int(x) if kind != "float" else float(x).hex() for x in array.flatten().tolist()]
        lines.append(" ".join(map(str, ["let", name, *words])))
    given = "\n".join([*lines, *texts]) + "\n"
    ran = subprocess.run([program], input=given, capture_output=True, text=True, check=True)
    answers = ran.stdout.splitlines()
    found = [(text, difference(text, answer)) for text, answer in zip(texts, answers)]
    differences = [f"{text}\n    {problem}" for text, problem in found if problem]
    worked = sum(not answer.startswith("!") for answer in answers)
    if len(answers) != len(texts):
        differences.append(f"{len(answers)} answers for {len(texts)} expressions")
    differences += file_differences(program)
    print(*differences[:20], sep="\n")
    print(f"{len(texts)} expressions, {worked} worked out, {len(differences)} differences")
    return 1 if differences or worked < len(texts) // 2 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

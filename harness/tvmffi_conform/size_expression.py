# SPDX-License-Identifier: Apache-2.0
"""Expressions of signature files over sizes, numbers and arrays: "2*d", "1 <= k <= n".

The language is that of conformance/EXPRESSIONS.md, evaluated with NumPy, element by element where
arrays are among the values.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

from . import HarnessError

BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)
COMPARE = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
CONSTANTS = {"pi": math.pi, "inf": math.inf, "nan": math.nan}
ATTRIBUTES = ("shape", "size", "ndim", "T", "dtype")
# Functions that NumPy has by this name, with the same parameters.
OF_NUMPY = """
    abs all any arange arccos arcsin arctan arctan2 argmax argmin array broadcast_to cbrt ceil
    clip copysign cos cosh cumprod cumsum exp exp2 expm1 floor fmod full hypot isfinite isinf
    isnan log log10 log1p log2 matmul maximum mean minimum ndim ones prod repeat reshape round
    shape sign sin sinh size sqrt stack std sum take_along_axis tan tanh transpose trunc var
    where zeros
"""
LENGTH_MAX = 4096


class NotHere(Exception):
    """An expression that is not evaluated: a name that is not known, or no expression."""


class NoElement(Exception):
    """An index of an element that these values don't have."""


class NoValue(Exception):
    """An expression that has no value with these: None in a sum, shapes that don't fit."""


# --- Functions ------------------------------------------------------------------------------------


def least_or_most(name: str) -> Callable[..., Any]:
    """min or max: of the elements of one value, or of several values element by element."""
    import numpy as np

    def of(*values: Any, **options: Any) -> Any:
        if len(values) == 1:
            return getattr(np, name)(values[0], **options)
        if any(isinstance(value, np.ndarray) for value in values):
            return functools.reduce(np.minimum if name == "min" else np.maximum, values)
        return min(values) if name == "min" else max(values)

    return of


def argsort(x: Any, axis: int = -1, descending: bool = False) -> Any:
    """Stable in both directions: of equal elements the first one comes first."""
    import numpy as np

    x = np.asarray(x)
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    back = np.flip(np.argsort(np.flip(x, axis), axis=axis, kind="stable"), axis)
    return x.shape[axis] - 1 - back


def sort(x: Any, axis: int = -1, descending: bool = False) -> Any:
    import numpy as np

    return np.take_along_axis(np.asarray(x), argsort(x, axis, descending), axis)


def scatter_add(x: Any, indices: Any, values: Any) -> Any:
    import numpy as np

    x, values = np.asarray(x), np.asarray(values)
    out = np.array(x, dtype=np.result_type(x, values))
    np.add.at(out, np.asarray(indices), values)
    return out


def bincount(x: Any, length: int) -> Any:
    import numpy as np

    counts = np.bincount(np.ravel(x), minlength=length)
    if len(counts) > length:
        raise ValueError(f"{len(counts) - 1} is outside {length} bins")
    return counts


def cast(x: Any, dtype: str) -> Any:
    """Rounded to a type, and kept in the widest one of its kind."""
    import numpy as np

    from .examples import numpy_type

    rounded = np.asarray(x).astype(numpy_type(dtype))
    return rounded.astype({"b": bool, "i": np.int64, "u": np.int64}.get(rounded.dtype.kind, float))


@functools.cache
def functions() -> Mapping[str, Callable[..., Any]]:
    """All functions of the language, by name."""
    import numpy as np

    return {
        **{name: getattr(np, name) for name in OF_NUMPY.split()},
        "argsort": argsort,
        "bincount": bincount,
        "cast": cast,
        "concat": np.concatenate,
        "erf": np.vectorize(math.erf, otypes=[float]),
        "erfc": np.vectorize(math.erfc, otypes=[float]),
        "len": len,
        "max": least_or_most("max"),
        "min": least_or_most("min"),
        "pow": operator.pow,
        "rsqrt": lambda x: 1 / np.sqrt(x),
        "scatter_add": scatter_add,
        "sigmoid": lambda x: 1 / (1 + np.exp(-np.asarray(x, dtype=float))),
        "sort": sort,
    }


# --- Values ---------------------------------------------------------------------------------------


def holds(value: Any) -> bool:
    """A condition, of arrays for all elements."""
    import numpy as np

    return bool(np.all(value))


def every(values: list[Any], together: Any) -> Any:
    """Conditions in one, element by element where arrays are among them."""
    import numpy as np

    if any(isinstance(value, np.ndarray) for value in values):
        return functools.reduce(together, (np.asarray(value, dtype=bool) for value in values))
    return functools.reduce(together, map(bool, values))


def as_array(value: Any) -> Any:
    """A list or tuple of numbers as the array that it is in a formula."""
    import numpy as np

    return np.asarray(value) if isinstance(value, (list, tuple)) else value


def named(value: Any) -> Any:
    """What a name stands for: a data type is compared with its name."""
    import numpy as np

    return value.name if isinstance(value, np.dtype) else value


class Evaluation(ast.NodeVisitor):
    """The value of an expression. Its depth is bounded by the length of the text."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names

    def generic_visit(self, node: ast.AST) -> Any:
        raise NotHere(type(node).__name__)

    def visit_Expression(self, node: ast.Expression) -> Any:
        return self.visit(node.body)

    def visit_Constant(self, node: ast.Constant) -> Any:
        if isinstance(node.value, (int, float, str)) or node.value in (None, ...):
            return node.value
        raise NotHere("a constant")

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id in self.names:
            return named(self.names[node.id])
        if node.id in CONSTANTS:
            return CONSTANTS[node.id]
        raise NotHere(node.id)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        import numpy as np

        if type(node.op) not in BINARY:
            raise NotHere("an operator")
        left, right = self.visit(node.left), self.visit(node.right)
        both = isinstance(left, (list, tuple)) and isinstance(right, (list, tuple))
        if both and isinstance(node.op, ast.Add):  # one follows the other
            return (*left, *right)
        left, right = as_array(left), as_array(right)
        if isinstance(node.op, DIVISIONS) and np.any(np.equal(right, 0)):
            left, right = np.float64(left), np.float64(right)  # infinity or NaN, of integers too
        return BINARY[type(node.op)](left, right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        import numpy as np

        value = as_array(self.visit(node.operand))
        if isinstance(node.op, ast.Not):
            return np.logical_not(value) if isinstance(value, np.ndarray) else not value
        if isinstance(node.op, ast.Invert):
            return not value if isinstance(value, bool) else ~value
        return -value if isinstance(node.op, ast.USub) else +value

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        import numpy as np

        ends = isinstance(node.op, ast.Or)
        values = []
        for operand in node.values:  # what follows is not worked out where one decides
            value = as_array(self.visit(operand))
            values.append(value)
            if np.ndim(value) == 0 and bool(value) is ends:
                return ends
        return every(values, operator.or_ if ends else operator.and_)

    def visit_Compare(self, node: ast.Compare) -> Any:
        left = self.visit(node.left)
        found = []
        for symbol, right in zip(node.ops, node.comparators):
            value = self.visit(right)
            if isinstance(symbol, (ast.Is, ast.IsNot)) and value is None:
                found.append((left is None) is isinstance(symbol, ast.Is))
            elif type(symbol) in COMPARE:
                found.append(COMPARE[type(symbol)](as_array(left), as_array(value)))
            else:
                raise NotHere("a comparison")
            left = value
        return every(found, operator.and_)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        return self.visit(node.body if holds(self.visit(node.test)) else node.orelse)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        value, index = self.visit(node.value), self.visit(node.slice)
        if not isinstance(value, dict) and not isinstance(index, (int, slice)):
            value = as_array(value)
        try:
            return value[tuple(index) if isinstance(node.slice, ast.Tuple) else index]
        except (IndexError, KeyError) as error:
            raise NoElement(str(error)) from error

    def visit_Slice(self, node: ast.Slice) -> slice:
        ends = (node.lower, node.upper, node.step)
        return slice(*(end and self.visit(end) for end in ends))

    def visit_Tuple(self, node: ast.Tuple) -> tuple[Any, ...]:
        return tuple(map(self.visit, node.elts))

    def visit_List(self, node: ast.List) -> list[Any]:
        return list(map(self.visit, node.elts))

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        import numpy as np

        if node.attr not in ATTRIBUTES:
            raise NotHere(f"its {node.attr}")
        value = as_array(self.visit(node.value))
        if node.attr == "dtype" and not isinstance(value, np.ndarray):
            raise NotHere("its dtype")
        return named(getattr(np.asarray(value), node.attr))

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Attribute):  # x.sum() is sum(x)
            name, first = node.func.attr, [self.visit(node.func.value)]
        elif isinstance(node.func, ast.Name):
            name, first = node.func.id, []
        else:
            raise NotHere("a function")
        if name not in functions():
            raise NotHere(f"{name}()")
        options = {option.arg: self.visit(option.value) for option in node.keywords}
        if None in options:
            raise NotHere("**")
        return functions()[name](*first, *map(self.visit, node.args), **options)


def parse(text: str) -> ast.Expression:
    """The tree of an expression. NotHere: it is none."""
    if len(text) > LENGTH_MAX:
        raise NotHere("its length")
    try:
        return ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise NotHere(text) from error


def names_in(text: str) -> list[str]:
    """The names in an expression that are not those of functions and constants, each once."""
    try:
        tree = parse(text)
    except NotHere:
        return []
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    names = [
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called
    ]
    return list(dict.fromkeys(name for name in names if name not in CONSTANTS))


class Replacing(ast.NodeTransformer):
    """Puts expressions in the places of names; the names of functions stay."""

    def __init__(self, formulas: Mapping[str, str]) -> None:
        self.formulas = formulas

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return parse(self.formulas[node.id]).body if node.id in self.formulas else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if not isinstance(node.func, ast.Name):
            node.func = self.visit(node.func)
        node.args = list(map(self.visit, node.args))
        node.keywords = list(map(self.visit, node.keywords))
        return node


def replaced(text: str, formulas: Mapping[str, str]) -> str:
    """An expression with other expressions in the places of names. HarnessError: it is too long."""
    if not set(formulas) & set(names_in(text)):
        return text
    try:
        whole = ast.unparse(Replacing(formulas).visit(parse(text)))
    except NotHere as error:
        raise HarnessError(f'let: "{error}" is not an expression') from error
    except RecursionError as error:
        raise HarnessError(f'"{text}": nested too deeply with "let"') from error
    if len(whole) > LENGTH_MAX:
        raise HarnessError(f'"{text}": longer than {LENGTH_MAX} characters with "let"')
    return whole


def without_let(signature: Mapping[str, Any]) -> Mapping[str, Any]:
    """A signature whose conditions do without the names of "let"."""
    formulas: dict[str, str] = {}
    told = signature.get("let", {})
    if not isinstance(told, Mapping) or not all(isinstance(one, str) for one in told.values()):
        raise HarnessError("let: expected formulas by name, as texts")
    for name, formula in told.items():
        formulas[name] = replaced(formula, formulas)
    where = [replaced(condition, formulas) for condition in signature.get("where", [])]
    return {**signature, "where": where} if formulas else signature


def evaluate(text: str | float, names: Mapping[str, Any]) -> Any:
    """The value of an expression. NotHere: it is none, or has a name that is not known; NoElement
    and NoValue: it has no value with these."""
    import numpy as np

    if not isinstance(text, str):
        return text
    try:
        with np.errstate(all="ignore"):
            return Evaluation(names).visit(parse(text))
    except (TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise NoValue(f"{text}: {error}") from error
    except ZeroDivisionError as error:  # 0 ** -1
        raise HarnessError(f"{text}: division by zero") from error

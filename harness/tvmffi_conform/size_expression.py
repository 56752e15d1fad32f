# SPDX-License-Identifier: Apache-2.0
"""Expressions of signature files over sizes, numbers and arrays: "2*d", "1 <= k <= n".

What is common to the language of the program and to Python is evaluated, with NumPy where arrays
are among the values, element by element; a formula of more than that is for the program alone.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Mapping
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
}
UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos}
COMPARE = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
REDUCTIONS = ("sum", "prod", "mean", "all", "any")
ATTRIBUTES = ("shape", "size", "ndim")
LENGTH_MAX = 400


class NotHere(Exception):
    """An expression that only the program evaluates."""


class NoElement(Exception):
    """An index of an element that these values don't have."""


def holds(value: Any) -> bool:
    """A condition, of arrays for all elements."""
    import numpy as np

    return bool(np.all(value))


def least_or_most(name: str, values: list[Any]) -> Any:
    """min or max: of the elements of one value, or of several values element by element."""
    import numpy as np

    if len(values) == 1:
        return np.min(values[0]) if name == "min" else np.max(values[0])
    if any(isinstance(value, np.ndarray) for value in values):
        return functools.reduce(np.minimum if name == "min" else np.maximum, values)
    return min(values) if name == "min" else max(values)


def every(values: list[Any], together: Any) -> Any:
    """Conditions in one, element by element where arrays are among them."""
    import numpy as np

    if any(isinstance(value, np.ndarray) for value in values):
        return functools.reduce(together, values)
    return functools.reduce(together, map(bool, values))


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
        if node.id not in self.names:
            raise NotHere(node.id)
        return self.names[node.id]

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        if type(node.op) not in BINARY:
            raise NotHere("an operator")
        return BINARY[type(node.op)](self.visit(node.left), self.visit(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            return not holds(self.visit(node.operand))
        if type(node.op) not in UNARY:
            raise NotHere("an operator")
        return UNARY[type(node.op)](self.visit(node.operand))

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        ends = isinstance(node.op, ast.Or)
        values = []
        for operand in node.values:  # what follows is not worked out where one decides
            value = self.visit(operand)
            values.append(value)
            if isinstance(value, (bool, int)) and bool(value) is ends:
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
                found.append(COMPARE[type(symbol)](left, value))
            else:
                raise NotHere("a comparison")
            left = value
        return every(found, operator.and_)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        return self.visit(node.body if holds(self.visit(node.test)) else node.orelse)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        try:
            return self.visit(node.value)[self.visit(node.slice)]
        except (IndexError, KeyError) as error:
            raise NoElement(str(error)) from error

    def visit_Slice(self, node: ast.Slice) -> slice:
        ends = (node.lower, node.upper, node.step)
        return slice(*(end and self.visit(end) for end in ends))

    def visit_Tuple(self, node: ast.Tuple) -> tuple[Any, ...]:
        return tuple(map(self.visit, node.elts))

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        value = self.visit(node.value)
        if node.attr not in ATTRIBUTES or not hasattr(value, node.attr):
            raise NotHere(f"its {node.attr}")
        return getattr(value, node.attr)

    def visit_Call(self, node: ast.Call) -> Any:
        import numpy as np

        if not isinstance(node.func, ast.Name) or node.keywords:
            raise NotHere("a function")
        name, values = node.func.id, list(map(self.visit, node.args))
        if name in ("min", "max"):
            return least_or_most(name, values)
        if len(values) == 1 and name in REDUCTIONS:
            return getattr(np, name)(values[0])
        if len(values) == 1 and name in ("len", "abs"):
            return len(values[0]) if name == "len" else abs(values[0])
        raise NotHere("a function")


def evaluate(text: str | float, names: Mapping[str, Any]) -> Any:
    """The value of an expression. NotHere: it has a name that is not known, or is not evaluated."""
    if not isinstance(text, str):
        return text
    if len(text) > LENGTH_MAX:
        raise NotHere("its length")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise NotHere(text) from error
    try:
        return Evaluation(names).visit(tree)
    except ZeroDivisionError as error:
        raise HarnessError(f"{text}: division by zero") from error

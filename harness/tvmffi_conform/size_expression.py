# SPDX-License-Identifier: Apache-2.0
"""Expressions of signature files over sizes, numbers and arrays: "2*d", "1 <= k <= n".

What is common to the language of the program and to Python is evaluated, with NumPy where arrays
are among the values; a formula of more than that is for the program alone.
"""

from __future__ import annotations

import ast
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
FUNCTIONS = {"len": len, "abs": abs, "min": min, "max": max}
LENGTH_MAX = 400


class NotHere(Exception):
    """An expression that only the program evaluates."""


def holds(value: Any) -> bool:
    """A condition, of arrays for all elements."""
    import numpy as np

    return bool(np.all(value))


class Evaluation(ast.NodeVisitor):
    """The value of an expression. Its depth is bounded by the length of the text."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names

    def generic_visit(self, node: ast.AST) -> Any:
        raise NotHere(type(node).__name__)

    def visit_Expression(self, node: ast.Expression) -> Any:
        return self.visit(node.body)

    def visit_Constant(self, node: ast.Constant) -> Any:
        if isinstance(node.value, (int, float)):
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

    def visit_BoolOp(self, node: ast.BoolOp) -> bool:
        values = (holds(self.visit(value)) for value in node.values)
        return all(values) if isinstance(node.op, ast.And) else any(values)

    def visit_Compare(self, node: ast.Compare) -> bool:
        left = self.visit(node.left)
        for symbol, right in zip(node.ops, node.comparators):
            if type(symbol) not in COMPARE:
                raise NotHere("a comparison")
            value = self.visit(right)
            if not holds(COMPARE[type(symbol)](left, value)):
                return False
            left = value
        return True

    def visit_Call(self, node: ast.Call) -> Any:
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS or node.keywords:
            raise NotHere("a function")
        return FUNCTIONS[node.func.id](*map(self.visit, node.args))


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

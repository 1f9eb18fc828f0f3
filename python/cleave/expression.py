"""Sums, differences, products and quotients of columns: `a.ux - b.ux`, `(a + b) / 2`; with their units."""
import re
from dataclasses import dataclass, replace

import numpy as np

from .errors import ResultsError, choose
from .units import Scale, scale_for, unit_of

_NUMBER = re.compile(r"\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?")
_WORD = re.compile(r"[^\s+*/()-][^\s+*/()]*")  # for messages; a column may have a dash or a space in its name
_DEEPEST = 50  # parentheses and signs in each other


@dataclass(frozen=True)
class Quantity:
    values: np.ndarray  # SI units, a row for each row of the table; a number for a constant
    unit: str
    composed: bool = False  # of two units, so that no prefix fits

    def scale(self, values):
        """The scale for some of the values."""
        return Scale(1.0, self.unit) if self.composed else scale_for(values, self.unit)


def evaluate(text, table):
    """The Quantity that a text of columns, numbers, + - * / and parentheses means; the name of a column means itself.

    Raises ResultsError with the place of what is wrong. Units of a sum must agree.
    """
    if text in table.columns:
        return Quantity(table[text].to_numpy(dtype=float), unit_of(text))
    return _Parser(text, table).all()


class _Parser:
    """Recursive descent: sum = term {+- term}; term = factor {*/ factor}; factor = number | column | - factor | ( sum )."""

    def __init__(self, text, table):
        self._text, self._table, self._at, self._depth = text, table, 0, 0
        self._columns = sorted(map(str, table.columns), key=len, reverse=True)  # the longest name that fits

    def all(self):
        value = self._sum()
        if self._next():
            self._fail("expected an operator")
        return value

    def _next(self):
        """The next character, or "" at the end."""
        while self._text[self._at:self._at + 1].isspace():
            self._at += 1
        return self._text[self._at:self._at + 1]

    def _take(self, characters):
        found = self._next()
        if not found or found not in characters:
            return ""
        self._at += 1
        return found

    def _fail(self, expected):
        rest = self._text[self._at:].strip()
        raise ResultsError(f"'{self._text}': {expected} " + (f"at '{rest}'" if rest else "at its end"))

    def _sum(self):
        left = self._term()
        while sign := self._take("+-"):
            right = self._term()
            if left.unit != right.unit:
                raise ResultsError(f"'{self._text}': '{sign}' between {left.unit or 'a pure number'} and "
                                   f"{right.unit or 'a pure number'}; both sides must have one unit")
            left = replace(left, values=left.values + right.values if sign == "+" else left.values - right.values)
        return left

    def _term(self):
        left = self._factor()
        while sign := self._take("*/"):
            right = self._factor()
            with np.errstate(divide="ignore", invalid="ignore"):
                values = left.values * right.values if sign == "*" else left.values / right.values
            left = Quantity(values, *_unit(left, sign, right))
        return left

    def _factor(self):
        self._depth += 1
        if self._depth > _DEEPEST:
            self._fail("too many parentheses or signs")
        if self._take("-"):
            inner = self._factor()
            value = replace(inner, values=-inner.values)
        elif self._take("("):
            value = self._sum()
            if not self._take(")"):
                self._fail("expected ')'")
        else:
            value = self._name_or_number()
        self._depth -= 1
        return value

    def _name_or_number(self):
        self._next()
        rest = self._text[self._at:]
        for column in self._columns:
            if rest.startswith(column) and not re.match(r"[\w.]", rest[len(column):]):
                self._at += len(column)
                return Quantity(self._table[column].to_numpy(dtype=float), unit_of(column))
        if number := _NUMBER.match(rest):
            self._at += number.end()
            return Quantity(np.float64(number.group()), "")
        if word := _WORD.match(rest):
            choose(word.group(), self._columns, "column")
        self._fail("expected a column, a number or '('")


def _unit(left, sign, right):
    """The unit of a product or a quotient, and whether it is composed."""
    if not right.unit:
        return left.unit, left.composed
    if sign == "*":
        return (f"{left.unit}·{right.unit}", True) if left.unit else (right.unit, right.composed)
    return ("", False) if left.unit == right.unit else (f"{left.unit or 1}/({right.unit})", True)

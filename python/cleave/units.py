"""Units of columns and fields, and the prefix in which numbers of a plot are easy to read."""
import json
import math
import pathlib
import re
from dataclasses import dataclass

import numpy as np

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"), (1e-12, "p"))
_NEVER_LARGE = ("m", "s", "m/s", "m²")  # nobody reads a crack speed in km/s
_NO_PREFIX = ("", "rad/s", "1/s")

# Of the columns of history.csv and of the keys of a case, as the program tells them: see tests/program_units.py.
_PROGRAM = json.loads(pathlib.Path(__file__).with_name("program_units.json").read_text(encoding="utf-8"))
_COLUMNS = [(re.compile(re.sub("GROUP|NAME", ".+", name)), unit) for name, unit in _PROGRAM["columns"].items()]
_OF_OBSTACLES = [(column, unit) for column, unit in _COLUMNS if column.pattern.startswith(".+")]  # fit many other names
_COLUMNS = [row for row in _COLUMNS if row not in _OF_OBSTACLES]
_KEYS = [(re.compile(re.escape(key).replace("NAME", "[^.]+")), unit) for key, unit in _PROGRAM["keys"].items()]

# Of frames, of other tables than history.csv, and of what is computed from them.
_BY_NAME = {"speed": "m/s", "area": "m²", "mass": "kg", "size": "m", "angular_velocity": "rad/s",
            "strain_energy_density": "J/m³", "pressure": "Pa", "contact_depth": "m"}
_BY_ENDING = {"_energy": "J", "_mass": "kg", "_length": "m", "stress": "Pa", "_speed": "m/s", "growth_rate": "m/s",
              "_per_area": "J/m²", ".ux": "m", ".uy": "m", ".vx": "m/s", ".vy": "m/s", ".sxx": "Pa", ".syy": "Pa",
              ".sxy": "Pa", "contact_pressure": "Pa"}
_BY_START = {"displacement": "m", "opening_": "m", "traction_": "Pa", "velocity": "m/s", "centre_": "m", "stress": "Pa",
             "contact_traction": "Pa"}


def unit_of_key(key):
    """Unit of a key of the case; "" for a pure number."""
    in_no_list = ".".join(word for word in key.split(".") if not word.isdigit())
    return next((unit for text in (in_no_list, key) for pattern, unit in _KEYS if pattern.fullmatch(text)), "")


def unit_of(name):
    """Unit of a column of a table, or of an array of a frame or one of its components; "" for a pure number."""
    for column, unit in _COLUMNS:
        if column.fullmatch(name):
            return unit
    if name in _BY_NAME:
        return _BY_NAME[name]
    for ending, unit in _BY_ENDING.items():
        if name.endswith(ending):
            return unit
    for start, unit in _BY_START.items():
        if name.startswith(start):
            return unit
    return next((unit for column, unit in _OF_OBSTACLES if column.fullmatch(name)), "")


@dataclass(frozen=True)
class Scale:
    """Numbers times `factor` are in `unit`."""

    factor: float
    unit: str

    def __call__(self, values):
        return np.asarray(values, dtype=float) * self.factor

    def text(self, value):
        """One number with its unit, to four digits."""
        value = float(self(value))
        return f"{value:,.0f} {self.unit}".rstrip() if abs(value) >= 1000 else f"{value:.4g} {self.unit}".rstrip()

    def label(self, name):
        return f"{name} ({self.unit})" if self.unit else name


def scale_for(values, unit):
    """The scale in which the largest of the numbers (of any shape, NaN passed over) is between 1 and 1000."""
    finite = np.abs(np.asarray(values, dtype=float).ravel())
    finite = finite[np.isfinite(finite)]
    largest = finite.max() if finite.size else 0.0
    if unit in _NO_PREFIX or largest == 0:
        return Scale(1.0, unit)
    to_base, base = (1e3, "g") if unit == "kg" else (1.0, unit)  # the kilogram has a prefix already
    power = 2 if unit == "m²" else 1
    for size, prefix in _PREFIXES:
        if size > 1 and unit in _NEVER_LARGE:
            continue
        # A hair below 1 still counts, so that 0.001 * 1000 is not lost to rounding.
        if largest * to_base >= size**power * (1 - 1e-12):
            break
    if unit == "kg" and prefix == "k":
        return Scale(1.0, "kg")
    if unit == "kg" and prefix in ("M", "G"):
        return Scale(1e-3, "t")
    return Scale(to_base / size**power, prefix + base)


def round_below(value):
    """The largest of 1, 2, 5, 10, 20, ... and 0.5, 0.2, ... that is not above a positive number."""
    power = 10.0 ** math.floor(math.log10(value))
    return float(max(step * power for step in (1, 2, 5) if step * power <= value * (1 + 1e-12)))

"""How the results of two cases that tell the same compare: each takes both directories and gives the difference, or nothing."""

import copy
import subprocess

from runs import differing, rows

# Exponents of length, mass and time in the units of keys and columns.
UNITS = {"m": (1, 0, 0), "kg": (0, 1, 0), "s": (0, 0, 1), "m²": (2, 0, 0), "m/s": (1, 0, -1), "1/s": (0, 0, -1), "m/s²": (1, 0, -2),
         "kg/m³": (-3, 1, 0), "Pa": (-1, 1, -2), "Pa s": (-1, 1, -1), "N": (1, 1, -2), "J": (2, 1, -2), "J/m²": (0, 1, -2)}
# Units of the columns of other files than history.csv, but for the name of a probe before a dot.
OTHERS = {"time": "s", "area": "m²", "mass": "kg", "centre_x": "m", "centre_y": "m", "velocity_x": "m/s", "velocity_y": "m/s",
          "angular_velocity": "1/s", "s": "m", "x": "m", "y": "m", "ux": "m", "uy": "m", "vx": "m/s", "vy": "m/s", "sxx": "Pa", "syy": "Pa",
          "sxy": "Pa"}


def is_energy(name):
    return name.endswith(("_energy", "_work"))


def same_files(one, other):
    if names := differing(one, other):
        return f"{', '.join(names)} differ" + (f": {first_difference(one, other)}" if "history.csv" in names else "")


def same_history(one, other):
    return first_difference(one, other)


def same_columns(one, other):
    """history.csv but for sums of directions, which change places: reactions and means of displacements."""
    return first_difference(one, other, lambda name: not name.startswith(("reaction_", "displacement_")))


def first_difference(one, other, counts=lambda name: True, scale=lambda name: 1, file="history.csv", least=0):
    """The first number of a CSV file that is not that of the other times the scale of its column; energies may differ by `least`,
    times the scale where that is larger, and their balance in its last digits."""
    one, other = rows(one / file), rows(other / file)
    for here, there in zip(one, other):
        for name, value in here.items():
            if not counts(name) or name not in there:
                continue
            wanted = value if isinstance(value, str) else value * scale(name)
            room = least * max(1, scale(name)) if is_energy(name) else 1e-25 if least and name == "balance_error" else 0
            if there[name] != wanted and not (room and abs(there[name] - wanted) <= room):
                return f"{file}, step {here['step']:.0f}: {name} is {value!r} and {there[name]!r}"
    if len(one) != len(other) or (one and one[0].keys() != other[0].keys()):
        return f"{file} has other rows or columns: {len(one)} and {len(other)} rows"


def counts_agree(one, other):
    """Counts are equal, and energies to 1e-9 of the largest."""
    one, other = rows(one / "history.csv"), rows(other / "history.csv")
    if len(one) != len(other):
        return f"{len(one)} and {len(other)} rows of history.csv"
    largest = max(abs(value) for row in one for name, value in row.items() if is_energy(name))
    for here, there in zip(one, other):
        for name, value in here.items():
            exact = name in ("step", "nodes", "cohesive_elements", "failed_elements", "fragments")
            if (exact and value != there[name]) or (is_energy(name) and abs(value - there[name]) > 1e-9 * largest):
                return f"step {here['step']:.0f}: {name} is {value!r} and {there[name]!r}"


def rows_among(one, other):
    """Rows of the second are among those of the first."""
    here = {row["step"]: row for row in rows(one / "history.csv")}
    others = rows(other / "history.csv")
    if not {row["step"] for row in others} <= set(here) or others[-1]["step"] != max(here):
        return "rows of other steps"
    for there in others:
        for name, value in there.items():
            if here[there["step"]][name] != value:
                return f"step {there['step']:.0f}: {name} is {here[there['step']][name]!r} and {value!r}"


class Scaled:
    """Columns of the second are those of the first times a factor by their unit."""

    least = 1e-39  # J: of a row's sum, terms below 2^-140 count as zero (fixed_sum.hpp)

    keys, columns = {}, {}  # unit by key and by column, as the program tells them

    def __init__(self, factors, only=None):
        self.factors, self.only = factors, only

    @classmethod
    def read_units(cls, program):
        """Units as `cleave info --keys` and `--columns` tell them."""
        for option, made, at in (("--keys", cls.keys, 3), ("--columns", cls.columns, 2)):
            for line in program.says("info", option).stdout.splitlines():
                cells = [cell.strip() for cell in line.replace("\\\\|", "").split("|")]
                if len(cells) > at and cells[1].startswith("`"):
                    made[cells[1].strip("`").replace(".N.", ".")] = cells[at]

    @classmethod
    def of_units(cls, length, mass, time):
        return cls({unit: length**a * mass**b * time**c for unit, (a, b, c) in UNITS.items()})

    def factor_of(self, column):
        if "displacement" in self.factors and column.startswith("displacement_"):
            return self.factors["displacement"]
        unit = self.columns.get(column)
        if unit is None and column.startswith(("reaction_", "displacement_")):
            unit = "N" if column.startswith("reaction_") else "m"
        if unit is None and column.startswith(("floor_", "lid_", "east_wall_", "ball_")):
            unit = "-" if column.endswith("_angle") else "m"
        unit = unit or OTHERS.get(column.split(".")[-1], "-")
        return self.factors.get(unit, 1)

    def __call__(self, one, other):
        for file in [self.only] if self.only else ["history.csv", "fragments.csv", "probes.csv", "lines.csv"]:
            if (one / file).exists() and (wrong := first_difference(one, other, scale=self.factor_of, file=file, least=self.least)):
                return wrong

    def case(self, case):
        """The case with every number in the other units."""
        def scaled(value, path):
            if isinstance(value, dict):
                return {key: scaled(its, [*path, key]) for key, its in value.items()}
            unit = self.keys.get(".".join(path)) or self.keys.get(".".join([*path[:-2], "NAME", path[-1]]))
            if path[-1] == "table":
                by = [self.factors.get(its.strip(), 1) for its in unit.split(",")]
                return [[number * factor for number, factor in zip(point, by)] for point in value]
            if isinstance(value, list):
                return [scaled(its, path) for its in value]
            if isinstance(value, (str, bool)) or value == 0:
                return value
            if unit is None:
                raise KeyError(f"no unit of {'.'.join(path)}")
            return value * self.factors[unit] if unit in self.factors else value
        return {key: scaled(copy.deepcopy(value), [key]) for key, value in case.items()}

import re
import subprocess

import numpy as np
import pytest

from cleave.units import round_below, scale_for, unit_of, unit_of_key


@pytest.mark.parametrize("value, unit, factor, shown", [
    (81e-6, "s", 1e6, "µs"), (0.0, "s", 1.0, "s"), (2e9, "Pa", 1e-9, "GPa"), (850e6, "Pa", 1e-6, "MPa"),
    (999.0, "Pa", 1.0, "Pa"), (0.08, "m", 1e3, "mm"), (4000.0, "m/s", 1.0, "m/s"), (5e-5, "kg", 1e6, "mg"),
    (0.4, "kg", 1e3, "g"), (3.0, "kg", 1.0, "kg"), (2500.0, "kg", 1e-3, "t"), (2e-4, "m²", 1e6, "mm²"),
    (1789.0, "J/m²", 1e-3, "kJ/m²"), (0.001, "J", 1e3, "mJ"), (1e6, "", 1.0, "")])
def test_the_prefix_follows_the_largest_number(value, unit, factor, shown):
    scale = scale_for([np.nan, -value, value / 3], unit)
    assert (scale.factor, scale.unit) == (pytest.approx(factor), shown)
    assert scale.label("x") == (f"x ({shown})" if shown else "x")


def test_one_number_as_text():
    assert scale_for([1e-4], "s").text(1.00034e-4) == "100 µs"
    assert scale_for([0.0505], "m²").text(0.050544) == "50,544 mm²"


def test_scalars_of_stress_and_strain_have_units():
    assert {unit_of(name) for name in ("pressure", "smallest_principal_stress", "largest_shear_stress")} == {"Pa"}
    assert {unit_of(name) for name in ("equivalent_strain", "largest_principal_strain", "strain_xy")} == {""}


def test_round_numbers_below():
    assert [round_below(x) for x in (1.0, 4.9, 5.0, 19.0, 0.3)] == pytest.approx([1, 2, 5, 10, 0.2])


def test_columns_have_the_units_that_the_program_tells(program):
    table = subprocess.run([program, "info", "--columns"], capture_output=True, text=True, check=True).stdout
    told = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", table, flags=re.M))
    assert len(told) > 20
    assert {name: unit_of(name) or "-" for name in told} == told


def test_keys_have_the_units_that_the_program_tells(program):
    table = subprocess.run([program, "info", "--keys"], capture_output=True, text=True, check=True).stdout
    told = {}
    for key, values, unit in re.findall(r"^\| `([\w.]+)` \| (.*?) \| (.*?) \|", table, flags=re.M):
        if re.search(r"\b(number|whole number)\b", values) and "list" not in values and "/ " not in unit:
            told[re.sub(r"\.(N|NAME)\b", ".0", key)] = unit
    assert len(told) > 60
    assert {key: unit_of_key(key) or "-" for key in told} == told

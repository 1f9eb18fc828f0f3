import json
import pathlib

import numpy as np
import pytest

import cleave
from cleave.units import round_below, scale_for, unit_of, unit_of_key
from program_units import told_by


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


def test_units_are_those_that_the_program_tells(program):
    told = told_by(program)
    assert len(told["columns"]) > 20 and len(told["keys"]) > 50
    kept = json.loads(pathlib.Path(cleave.__file__).with_name("program_units.json").read_text(encoding="utf-8"))
    assert kept == told, f"write them again: python3 python/tests/program_units.py {program}"
    assert {name: unit_of(name.replace("GROUP", "left_2")) for name in kept["columns"]} == kept["columns"]
    assert {key: unit_of_key(key.replace("NAME", "ramp")) for key in kept["keys"]} == kept["keys"]


def test_keys_have_units_wherever_they_stand_in_lists():
    assert unit_of_key("material.1.young_modulus") == unit_of_key("material.young_modulus") == "Pa"
    assert unit_of_key("boundary.0.pressure") == "Pa" and unit_of_key("output.probes.2.at") == "m"
    assert unit_of_key("curves.pulse.exponential") == unit_of_key("curves.2.exponential") == "s"
    assert {unit_of_key(key) for key in ("mesh.divisions", "cohesive.contact_penalty", "cohesive", "no.such.key")} == {""}


def test_counts_and_ratios_have_no_unit():
    assert {unit_of(name) for name in ("step", "nodes", "fragments", "balance_error", "insertion_ratio", "strain")} == {""}

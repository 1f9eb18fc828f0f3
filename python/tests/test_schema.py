"""`cleave info --schema` lets through what the program reads, and refuses what it refuses. YAML is read as version 1.2, as
editors do: 210.0e9 is a number there, and `on` a text."""
import copy
import json
import pathlib
import subprocess

import jsonschema
import pytest
from ruamel.yaml import YAML

CONFIGS = sorted((pathlib.Path(__file__).resolve().parents[2] / "configs").glob("*.yaml"))
FREE_NAMES = ("curves", "regions")  # sections whose keys the user chooses

# A case that is right, and below what makes it wrong: a text of it and another in its place.
RIGHT = """\
mesh: {shape: rectangle, size: [0.1, 0.02], divisions: [50, 10], regions: {tip: {box: [0, 0, 0.01, 0.02]}}}
material:
  - {young_modulus: 210.0e9, poisson_ratio: 0.3, density: 7850}
  - {on: tip, law: j2, young_modulus: 210.0e9, poisson_ratio: 0.3, density: 7850, yield_stress: 3.0e8,
     hardening: {table: [[0, 3.0e8], [0.1, 4.0e8]]}}
cohesive: {normal: {strength: {weibull: {scale: 400.0e6, modulus: 10}}, energy: 2000}, insertion: {region: all}}
time: {step: auto, end: 60.0e-6}
boundary:
  - {on: left, fix: [x, y]}
  - {group: right, velocity: {x: 10}, curve: ramp}
curves: {ramp: {table: [[0, 0], [1.0e-6, 1]]}}
output: {fields: [all, strain], replace: true, probes: [{name: tip, at: [0.1, 0.01]}]}
"""
WRONG = {
    "misspelt key": ("time: {step:", "time: {stepp:"),
    "misspelt section": ("output:", "outputs:"),
    "misspelt key in a list": ("curve: ramp", "curves: ramp"),
    "misspelt key of a probe": ("at: [0.1, 0.01]", "at: [0.1, 0.01], evry: 2"),
    "misspelt key of a named curve": ("{ramp: {table:", "{ramp: {tabel:"),
    "text for a number": ("density: 7850}", "density: heavy}"),
    "number with a unit": ("energy: 2000", "energy: 2000 J/m^2"),
    "list for a map": ("time: {step: auto, end: 60.0e-6}", "time: [1, 2]"),
    "map for a list": ("probes: [{name: tip, at: [0.1, 0.01]}]", "probes: {name: tip, at: [0.1, 0.01]}"),
    "broken number of elements": ("divisions: [50, 10]", "divisions: [50, 10.5]"),
    "list that is too long": ("size: [0.1, 0.02]", "size: [0.1, 0.02, 0.03]"),
    "wrong word": ("shape: rectangle", "shape: square"),
    "wrong word in a list": ("fields: [all, strain]", "fields: [all, strains]"),
    "wrong law": ("law: j2", "law: j3"),
    "word in place of another": ("region: all", "region: none"),
    "number below its range": ("scale: 400.0e6", "scale: -1"),
    "number at a bound that is not in its range": ("yield_stress: 3.0e8", "yield_stress: 0"),
    "missing key": ("density: 7850, yield_stress", "yield_stress"),
    "two of which one is meant": ("end: 60.0e-6", "end: 60.0e-6, steps: 10"),
    "none of which one is meant": (", fix: [x, y]", ""),
    "both spellings": ("group: right", "on: right, group: right"),
}


@pytest.fixture(scope="module")
def validator(program):
    schema = json.loads(subprocess.run([program, "info", "--schema"], check=True, capture_output=True, text=True).stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def read(text):
    return YAML(typ="safe", pure=True).load(text)


def errors(validator, case):
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(case)]


def exit_code(program, path):
    return subprocess.run([program, "check", path], capture_output=True).returncode


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_cases_are_let_through(validator, path):
    assert errors(validator, read(path)) == []


def test_a_case_with_every_default_is_let_through(validator, directory):
    assert errors(validator, read(directory / "case.resolved.yaml")) == []


def maps_of(value, name=""):
    """Maps in `value` whose keys are the program's."""
    if isinstance(value, dict):
        if name not in FREE_NAMES:
            yield value
        for key, below in value.items():
            yield from maps_of(below, key)
    elif isinstance(value, list):
        for below in value:
            yield from maps_of(below)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_an_unknown_key_is_refused_wherever_it_stands(validator, path):
    count = sum(1 for _ in maps_of(read(path)))
    assert count >= 6
    for at in range(count):
        case = copy.deepcopy(read(path))
        list(maps_of(case))[at]["unknown_key"] = 1
        assert errors(validator, case), f"map {at}"


def test_schema_and_program_take_the_same_case(validator, program, tmp_path):
    case = tmp_path / "case.yaml"
    case.write_text(RIGHT)
    assert errors(validator, read(RIGHT)) == []
    assert exit_code(program, case) == 0


@pytest.mark.parametrize("old, new", WRONG.values(), ids=WRONG.keys())
def test_schema_and_program_refuse_the_same_case(validator, program, tmp_path, old, new):
    assert RIGHT.count(old) == 1
    text = RIGHT.replace(old, new)
    case = tmp_path / "case.yaml"
    case.write_text(text)
    assert errors(validator, read(text))
    assert exit_code(program, case) == 2

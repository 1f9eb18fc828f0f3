"""Results to look at: of a small run of the program, which $CLEAVE names, and written by hand."""
import subprocess

import numpy as np
import pytest

import cleave
from cleave.running import find_program

CASE = """\
title: Expanding square <5 & 6>
mesh: {shape: rectangle, size: [0.01, 0.01], divisions: [8, 8], element: T6, perturbation: {amplitude: 0.1, seed: 1}}
material: {young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200, plane: stress}
cohesive: {normal: {strength: 30.0e6, energy: 100}, insertion: {every: 10}}
time: {step: auto, steps: 1000}
initial: {velocity_gradient: {xx: 2.0e4, yy: 2.0e4}}
boundary: [{on: left, fix: x}]
output:
  {directory: out, fields_every: 100, history_every: 20, real: double,
   probes: [{name: tip, at: [0.002, 0.002]}, {name: far, at: [0.008, 0.009], every: 7}],
   lines: [{name: middle, from: [0, 0.005], to: [0.01, 0.005], points: 11, every: 50},
           {name: wall, on: right, points: 5, every: 100}]}
run: {backend: cpu, threads: 1}
"""


@pytest.fixture(scope="session")
def program():
    return find_program()


@pytest.fixture(scope="session")
def case(tmp_path_factory):
    path = tmp_path_factory.mktemp("case") / "square.yaml"
    path.write_text(CASE)
    return path


@pytest.fixture(scope="session")
def directory(case, program):
    """Of a run that broke into fragments. Tests must not write there."""
    out = case.parent / "vtu"
    subprocess.run([program, "run", case, "--quiet", "--output", out], check=True)
    return out


@pytest.fixture
def results(directory):
    return cleave.Results(directory)


# A square of 4 x 4 unit squares, each of two triangles, in mm; node (i, j) has the number i + 5 j.
SIZE, UNIT = 4, 1e-3


def node(i, j):
    return i + (SIZE + 1) * j


def body():
    points = np.array([(i, j, 0) for j in range(SIZE + 1) for i in range(SIZE + 1)], dtype=float) * UNIT
    cells = [(node(i, j), node(i + 1, j), node(i + 1, j + 1)) for j in range(SIZE) for i in range(SIZE)]
    cells += [(node(i, j), node(i + 1, j + 1), node(i, j + 1)) for j in range(SIZE) for i in range(SIZE)]
    return points, np.array(cells)


def write_vtu(path, points, cells, point_data, cell_data):
    """As the program does with `output.compression: none`."""
    heads, data = {"PointData": "", "CellData": "", "Points": "", "Cells": ""}, b""
    arrays = [("PointData", *item) for item in point_data.items()] + [("CellData", *item) for item in cell_data.items()]
    for parent, name, values in [*arrays, ("Points", "Points", points), ("Cells", "connectivity", cells)]:
        values = np.asarray(values)
        kind = {"f8": "Float64", "i8": "Int64", "i4": "Int32", "u1": "UInt8"}[values.dtype.str[1:]]
        components = values.shape[1] if values.ndim == 2 and parent != "Cells" else 1
        heads[parent] += (f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="appended" '
                          f'offset="{len(data)}"/>')
        data += np.array([values.nbytes], dtype="<u8").tobytes() + values.tobytes()
    body = "".join(f"<{parent}>{head}</{parent}>" for parent, head in heads.items())
    path.write_bytes(f'<VTKFile><UnstructuredGrid><Piece NumberOfPoints="{len(points)}" NumberOfCells="{len(cells)}">'
                     f'{body}</Piece></UnstructuredGrid><AppendedData encoding="raw">_'.encode() + data)


def write_body(path, **cell_data):
    points, cells = body()
    zero = np.zeros((len(points), 3))
    write_vtu(path, points, cells, {"displacement": zero, "velocity": zero}, cell_data)


def write_cracks(path, edges, failed, steps=None):
    """Edges: pairs of (i, j); each has points of its own, as the program writes them. steps: in which they were inserted."""
    points = np.array([(*end, 0) for edge in edges for end in edge], dtype=float).reshape(-1, 3) * UNIT
    zero = np.zeros((len(points), 3))
    write_vtu(path, points, np.arange(2 * len(edges)).reshape(-1, 2),
              {"displacement": zero, "displacement_a": zero, "displacement_b": zero},
              {"failed": np.array(failed, dtype=np.uint8),
               **({} if steps is None else {"insertion_step": np.array(steps, dtype=np.int64)})})


def write_history(directory, rows):
    """Rows by column; what they leave out is 0."""
    columns = ("step,time,kinetic_energy,strain_energy,internal_work,cohesive_work,recoverable_energy,dissipated_energy,"
               "external_work,reaction_work,balance_error,nodes,cohesive_elements,failed_elements,crack_length,fragments")
    lines = [",".join(str(row.get(column, 0)) for column in columns.split(",")) for row in rows]
    (directory / "history.csv").write_text("\n".join([columns, *lines]) + "\n")


def write_series(directory, kind, times):
    entries = "".join(f'<DataSet timestep="{t}" file="{kind}_{i:06d}.vtu"/>' for i, t in enumerate(times))
    (directory / f"{kind}.pvd").write_text(f'<VTKFile type="Collection"><Collection>{entries}</Collection></VTKFile>')

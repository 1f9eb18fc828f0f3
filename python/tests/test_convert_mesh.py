"""Meshes of other programs: read by meshio, written as .msh, read by the program."""
import re
import subprocess

import meshio
import numpy as np
import pytest

import cleave
from cleave.convert_mesh import convert_mesh

ABAQUS = """\
*HEADING
*NODE
1, 0.0, 0.0, 0.0
2, 1.0, 0.0, 0.0
3, 1.0, 1.0, 0.0
4, 0.0, 1.0, 0.0
*ELEMENT, TYPE=CPS3, ELSET=lower
1, 1, 2, 3
*ELEMENT, TYPE=CPS3, ELSET=upper
2, 1, 3, 4
*NSET, NSET=left
1, 4
*NSET, NSET=corner
3
"""

CASE = """\
mesh: {file: FILE, numbering: as_given}
material: {young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200}
time: {step: auto, steps: 5}
run: {backend: cpu, threads: 1}
"""


def groups_of(program, tmp_path, mesh):
    """Numbers of facets, nodes and triangles of each group, as `cleave check` tells them."""
    case = tmp_path / "case.yaml"
    case.write_text(CASE.replace("FILE", str(mesh)))
    text = subprocess.run([program, "check", case], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^  (.+): facets (\d+), nodes (\d+), triangles (\d+)", text, re.MULTILINE)
    return {name: (int(facets), int(nodes), int(triangles)) for name, facets, nodes, triangles in found}


def test_abaqus(program, tmp_path):
    (tmp_path / "plate.inp").write_text(ABAQUS)
    mesh = convert_mesh(tmp_path / "plate.inp", tmp_path / "plate.msh")
    assert groups_of(program, tmp_path, mesh) == {
        "lower": (0, 0, 1), "upper": (0, 0, 1), "left": (1, 2, 0), "corner": (0, 1, 0)}


def quadratic_plate():
    """Two triangles with 6 nodes and the lines of their lower side."""
    points = np.array([(0, 0), (1, 0), (1, 1), (0, 1), (.5, 0), (1, .5), (.5, .5), (.5, 1), (0, .5)])
    points = np.column_stack([points, np.zeros(len(points))])
    return points, [("triangle6", [[0, 1, 2, 4, 5, 6], [0, 2, 3, 6, 7, 8]]), ("line3", [[0, 1, 4]])]


def test_med(program, tmp_path):
    points, cells = quadratic_plate()
    mesh = meshio.Mesh(points, cells, cell_data={"cell_tags": [np.array([-1, -2]), np.array([-3])]},
                       point_data={"point_tags": np.array([2, 0, 0, 2, 0, 0, 0, 0, 2])})
    mesh.cell_tags = {-1: ["body", "lower"], -2: ["body"], -3: ["bottom"]}
    mesh.point_tags = {2: ["left"]}
    meshio.med.write(tmp_path / "plate.med", mesh)
    out = convert_mesh(tmp_path / "plate.med", tmp_path / "plate.msh")
    assert groups_of(program, tmp_path, out) == {
        "body": (0, 0, 2), "lower": (0, 0, 1), "bottom": (1, 3, 0), "left": (1, 3, 0)}


def test_exodus(program, tmp_path):
    points, cells = quadratic_plate()
    meshio.exodus.write(tmp_path / "plate.e", meshio.Mesh(points, cells[:1], point_sets={"left": np.array([0, 3, 8])}))
    out = convert_mesh(tmp_path / "plate.e", tmp_path / "plate.msh")
    assert groups_of(program, tmp_path, out) == {"left": (1, 3, 0)}


def test_what_cannot_be_converted(tmp_path):
    points, cells = quadratic_plate()
    with pytest.raises(cleave.ResultsError, match="no such file"):
        convert_mesh(tmp_path / "nothing.inp", tmp_path / "a.msh")
    meshio.write(tmp_path / "quad.vtk", meshio.Mesh(points, [("quad", [[0, 1, 2, 3]])]))
    with pytest.raises(cleave.ResultsError, match="cells of type quad: only triangles"):
        convert_mesh(tmp_path / "quad.vtk", tmp_path / "a.msh")
    meshio.write(tmp_path / "line.vtk", meshio.Mesh(points, [("line", [[0, 1]])]))
    with pytest.raises(cleave.ResultsError, match="no triangles"):
        convert_mesh(tmp_path / "line.vtk", tmp_path / "a.msh")
    with pytest.raises(cleave.ResultsError, match="end the name in .msh"):
        convert_mesh(tmp_path / "line.vtk", tmp_path / "a.vtk")
    assert not (tmp_path / "a.msh").exists()

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
    """Numbers of facets, nodes and triangles of each group of the file, as `cleave check` tells them."""
    case = tmp_path / "case.yaml"
    case.write_text(CASE.replace("FILE", str(mesh)))
    text = subprocess.run([program, "check", case], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^  (.+): facets (\d+), nodes (\d+), triangles (\d+)", text, re.MULTILINE)
    return {name: (int(facets), int(nodes), int(triangles)) for name, facets, nodes, triangles in found
            if name != "outside"}


def test_abaqus(program, tmp_path):
    (tmp_path / "plate.inp").write_text(ABAQUS)
    mesh = convert_mesh(tmp_path / "plate.inp", tmp_path / "plate.msh")
    assert groups_of(program, tmp_path, mesh) == {
        "lower": (0, 0, 1), "upper": (0, 0, 1), "left": (1, 2, 0), "corner": (0, 1, 0)}


# A notched plate, pulled apart until it breaks. Colours of generated quads would give sums another order.
PLATE = """\
mesh: {MESH, colouring: welsh_powell}
material: {young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200, plane: stress}
cohesive: {normal: {strength: 20.0e6, energy: 50}, insertion: {every: 5}}
time: {step: 2.0e-8, steps: 600}
initial: {velocity_gradient: {yy: 4.0e3}}
boundary: [{on: bottom, velocity: {y: -20}}, {on: top, velocity: {y: 20}}, {on: left, pressure: 1.0e5}]
output: {directory: OUT, fields_every: 0, history_every: 20}
run: {backend: cpu, threads: 1}
"""


def history_of(program, tmp_path, mesh):
    case = tmp_path / "plate.yaml"
    case.write_text(PLATE.replace("MESH", mesh).replace("OUT", str(tmp_path / "out")))
    subprocess.run([program, "run", case, "--quiet", "--force"], check=True)
    return (tmp_path / "out" / "history.csv").read_text()


def with_sets(mesh):
    """The groups of a .vtu file as sets of points and cells, which Abaqus' files have."""
    points = {name[6:]: np.flatnonzero(values) for name, values in mesh.point_data.items() if name.startswith("group:")}
    cells = {name[6:]: [np.flatnonzero(values[0])] for name, values in mesh.cell_data.items() if name.startswith("group:")}
    return meshio.Mesh(mesh.points, mesh.cells, point_sets=points, cell_sets=cells)


@pytest.mark.parametrize("element", ["T3", "T6"])
def test_same_run_from_each_file(program, tmp_path, element):
    """history.csv is that of the .msh file, and of the shape that it was made from, to the last bit."""
    shape = ("shape: rectangle, size: [0.012, 0.008], divisions: [6, 4], notch: {length: 0.004}, "
             f"perturbation: {{amplitude: 0.2, seed: 3}}, element: {element}")
    made = tmp_path / "made.yaml"
    made.write_text(PLATE.replace("MESH", f"{shape}, numbering: as_given, regions: {{tip: {{box: [0.003, 0.003, 0.006, 0.005]}}}}"))
    for name in ("plate.vtu", "plate.msh"):
        subprocess.run([program, "mesh", made, "-o", tmp_path / name], check=True, capture_output=True)
    expected = history_of(program, tmp_path, f"file: {tmp_path / 'plate.msh'}, doubled: [notch]")
    assert expected == history_of(program, tmp_path, shape)
    rows = [line.split(",") for line in expected.splitlines()]
    assert len(rows) == 32 and int(rows[-1][rows[0].index("fragments")]) > 1

    mesh = meshio.read(tmp_path / "plate.vtu")
    with_sets(mesh).write(tmp_path / "plate.inp")
    mesh.write(tmp_path / "ascii.vtk", binary=False)
    mesh.write(tmp_path / "binary.vtk", binary=True)
    for source in ("plate.vtu", "plate.inp", "ascii.vtk", "binary.vtk"):
        converted = convert_mesh(tmp_path / source, tmp_path / "converted.msh")
        found = history_of(program, tmp_path, f"file: {converted}, doubled: [notch]")
        assert found == expected, source
        groups = groups_of(program, tmp_path, f"{converted}, doubled: [notch]")
        assert groups == groups_of(program, tmp_path, f"{tmp_path / 'plate.msh'}, doubled: [notch]"), source
        assert groups["tip"][2] > 0 and groups["notch"][0] == 4


def test_inner_lines_of_vtu(program, tmp_path):
    """A line inside the body stays a line, and can be opened."""
    points, cells = quadratic_plate()
    mesh = meshio.Mesh(points, cells[:1], point_data={"group:diagonal": np.array([1, 0, 1, 0, 0, 0, 1, 0, 0])},
                       cell_data={"facets:diagonal": [np.array([2, 4])]})
    mesh.write(tmp_path / "plate.vtu")
    out = convert_mesh(tmp_path / "plate.vtu", tmp_path / "plate.msh")
    assert groups_of(program, tmp_path, out) == {"diagonal": (0, 3, 0)}  # none on the boundary
    assert groups_of(program, tmp_path, f"{out}, cracks: [diagonal]") == {"diagonal": (2, 6, 0)}


def test_all_that_vtk_writes_as_vtu(program, tmp_path):
    """The program reads .vtu files without VTK: here, all ways in which VTK's writer writes one."""
    readers, kinds = pytest.importorskip("vtkmodules.vtkIOXML"), []
    made = tmp_path / "made.yaml"
    made.write_text(CASE.replace("file: FILE", "shape: rectangle, size: [0.012, 0.008], divisions: [6, 4], "
                                               "perturbation: {amplitude: 0.2, seed: 3}, notch: {length: 0.004}"))
    subprocess.run([program, "mesh", made, "-o", tmp_path / "first.vtu"], check=True, capture_output=True)
    reader = readers.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(tmp_path / "first.vtu"))
    reader.Update()
    read = tmp_path / "read.yaml"
    read.write_text(CASE.replace("FILE", "plate.vtu, doubled: [notch]"))
    same = None
    for mode in ("Ascii", "Binary", "Appended"):
        for compressor in ("None", "ZLib", "LZ4"):
            for base64 in (True, False) if mode == "Appended" else (True,):
                for header in ("UInt32", "UInt64"):
                    for order in ("Little", "Big"):
                        writer = readers.vtkXMLUnstructuredGridWriter()
                        getattr(writer, f"SetDataModeTo{mode}")()
                        getattr(writer, f"SetCompressorTypeTo{compressor}")()
                        getattr(writer, f"SetHeaderTypeTo{header}")()
                        getattr(writer, f"SetByteOrderTo{order}Endian")()
                        writer.SetEncodeAppendedData(base64)
                        writer.SetBlockSize(1 << 10)  # several blocks
                        writer.SetInputData(reader.GetOutput())
                        writer.SetFileName(str(tmp_path / "plate.vtu"))
                        assert writer.Write() == 1
                        subprocess.run([program, "mesh", read, "-o", tmp_path / "out.msh"], check=True, capture_output=True)
                        kinds.append((mode, compressor, base64, header, order))
                        same = same or (tmp_path / "out.msh").read_bytes()
                        assert (tmp_path / "out.msh").read_bytes() == same, kinds[-1]
    assert len(kinds) == 48 and len(same) > 5000


# As a VTK program writes it by hand: two triangles and a line, which is in no group.
LEGACY = """\
# vtk DataFile Version 3.0
two triangles
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 4 double
0 0 0  1 0 0  1 1 0  0 1 0
CELLS 3 11
2 0 1
3 0 1 2
3 0 2 3
CELL_TYPES 3
3
5
5
CELL_DATA 3
SCALARS group:upper int 1
LOOKUP_TABLE default
0
0
1
POINT_DATA 4
SCALARS group:left int 1
LOOKUP_TABLE default
1
0
0
1
"""


def test_gmsh_4_with_overlapping_groups(program, tmp_path):
    case = tmp_path / "written.yaml"
    case.write_text("""\
mesh: {shape: rectangle, size: [4.0e-3, 3.0e-3], divisions: [4, 3],
       regions: {low: {box: [0, 0, 4.0e-3, 2.0e-3]}, high: {box: [0, 1.0e-3, 4.0e-3, 3.0e-3]}}}
material: {young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200}
time: {steps: 1}
""")
    written = tmp_path / "written.msh"
    subprocess.run([program, "mesh", case, "-o", written], check=True, capture_output=True)
    converted = convert_mesh(written, tmp_path / "converted.msh")
    assert groups_of(program, tmp_path, converted) == groups_of(program, tmp_path, written)


def test_legacy_vtk(program, tmp_path):
    (tmp_path / "plate.vtk").write_text(LEGACY)
    out = convert_mesh(tmp_path / "plate.vtk", tmp_path / "plate.msh")
    assert groups_of(program, tmp_path, out) == {"upper": (0, 0, 1), "left": (1, 2, 0)}


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
    (tmp_path / "broken.inp").write_text("*NODE\n1, zero, 0\n")
    with pytest.raises(cleave.ResultsError, match=r"broken.inp: meshio cannot read it \(.+\)"):
        convert_mesh(tmp_path / "broken.inp", tmp_path / "a.msh")
    meshio.write(tmp_path / "quad.vtk", meshio.Mesh(points, [("quad", [[0, 1, 2, 3]])]))
    with pytest.raises(cleave.ResultsError, match="cells of type quad: only triangles"):
        convert_mesh(tmp_path / "quad.vtk", tmp_path / "a.msh")
    meshio.write(tmp_path / "line.vtk", meshio.Mesh(points, [("line", [[0, 1]])]))
    with pytest.raises(cleave.ResultsError, match="no triangles"):
        convert_mesh(tmp_path / "line.vtk", tmp_path / "a.msh")
    with pytest.raises(cleave.ResultsError, match="end the name in .msh"):
        convert_mesh(tmp_path / "line.vtk", tmp_path / "a.vtk")
    assert not (tmp_path / "a.msh").exists()


@pytest.mark.parametrize("suffix", ["mesh", "meshb"])
def test_meshio_reads_what_the_program_writes(program, tmp_path, suffix):
    (tmp_path / "case.yaml").write_text(
        CASE.replace("file: FILE", "shape: rectangle, element: T3, size: [3, 2], divisions: [2, 1]"))
    path = tmp_path / f"plate.{suffix}"
    subprocess.run([program, "mesh", tmp_path / "case.yaml", "-o", path], check=True, capture_output=True)
    mesh = meshio.read(path)
    assert mesh.points.shape == (8, 2) and mesh.points.dtype == np.float64
    assert {tuple(p) for p in mesh.points} == {(x, y) for x in (0, 1.5, 3) for y in (0, 2)} | {(0.75, 1), (2.25, 1)}
    triangles = mesh.cells_dict["triangle"]
    a, b, c = (mesh.points[triangles[:, i]] for i in range(3))
    (ux, uy), (vx, vy) = (b - a).T, (c - a).T
    assert triangles.shape == (8, 3) and sum(ux * vy - uy * vx) / 2 == 6
    assert len(mesh.cells_dict["line"]) == 6

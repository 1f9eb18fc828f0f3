import json
import shutil
import subprocess

import numpy as np
import pytest

import cleave
from conftest import write_body, write_series


def test_tables_are_those_of_the_files(results):
    history = results.history
    assert list(history.columns[:3]) == ["step", "time", "kinetic_energy"]
    assert history["step"].tolist() == list(range(0, 1001, 20))
    assert results.summary["energies"]["kinetic_energy"] == history["kinetic_energy"].iloc[-1]
    last = results.fragments[results.fragments["step"] == 1000]
    assert len(last) == results.summary["fragments"] > 5
    assert results.case["mesh"]["divisions"] == [8, 8]
    lines = results.lines
    assert list(lines.columns) == "step time line s x y ux uy vx vy sxx syy sxy".split()
    assert len(lines) == 21 * 11 + 11 * 5
    wall = lines[(lines["line"] == "wall") & (lines["step"] == 100)]
    assert list(wall["y"]) == pytest.approx([0, 0.0025, 0.005, 0.0075, 0.01]) and (wall["x"] == 0.01).all()
    assert results.probes["far.ux"].notna().sum() == 1000 // 7 + 1  # empty where the probe was not due


def test_a_row_that_is_not_complete_is_left_out(directory, tmp_path):
    text = (directory / "history.csv").read_text()
    (tmp_path / "history.csv").write_text(text + "1020,3.0")
    assert cleave.Results(tmp_path).history["step"].iloc[-1] == 1000


def test_frames_are_arrays(results):
    frames, cracks = results.frames, results.crack_frames
    assert len(frames) == len(cracks) == 11
    assert frames.times[-1] == results.history["time"].iloc[-1]
    first, last = frames[0], frames[-1]
    assert first.cells.shape == (256, 6) and first.points.shape == (results.summary["initial_nodes"], 2)
    assert last["displacement"].shape == (results.summary["nodes"], 3)
    assert last["fragment"].shape == (256,)
    assert len(cracks[0].cells) == 0  # nothing has broken yet
    assert len(cracks[-1].cells) == results.summary["cohesive_elements"]
    assert last.displaced(2.0) == pytest.approx(last.points + 2 * last["displacement"][:, :2])
    assert [frame.number for frame in frames[2:8:3]] == [2, 5]
    with pytest.raises(IndexError, match="there is no frame 11: there are 11, from 0"):
        frames[11]


@pytest.mark.parametrize("compression", ["none", "lz4"])
def test_compression(results, case, program, tmp_path, compression):
    other = cleave.run(case, set={"output.compression": compression}, program=program, output=tmp_path)
    if compression == "lz4":
        with pytest.raises(cleave.ResultsError, match="bulk_000010.vtu: .*LZ4.*; run with `output.compression: zlib`"):
            other.frames[-1]
    else:
        assert (other.frames[-1]["stress"] == results.frames[-1]["stress"]).all()


def test_scalars_of_stress_and_strain_follow_from_the_tensors(case, program, tmp_path):
    names = ["smallest_principal_stress", "pressure", "largest_shear_stress", "largest_principal_strain",
             "equivalent_strain"]
    frame = cleave.run(case, set={"output.fields": f"[stress, strain, {', '.join(names)}]", "time.steps": 100},
                       program=program, output=tmp_path).frames[-1]

    def tensors(rows):
        xx, yy, zz, xy, yz, xz = rows.T
        return np.moveaxis(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), 2, 0)

    for data in (frame.point_data, frame.cell_data):
        assert set(data) == {"stress", "strain", *names}
        stress, strain = tensors(data["stress"]), tensors(data["strain"])
        values, strains = np.linalg.eigvalsh(stress), np.linalg.eigvalsh(strain)
        deviator = strain - np.trace(strain, axis1=1, axis2=2)[:, None, None] / 3 * np.eye(3)
        want = {"smallest_principal_stress": values[:, 0], "pressure": -np.trace(stress, axis1=1, axis2=2) / 3,
                "largest_shear_stress": (values[:, 2] - values[:, 0]) / 2, "largest_principal_strain": strains[:, 2],
                "equivalent_strain": np.sqrt(2 / 3 * (deviator**2).sum(axis=(1, 2)))}
        for name in names:
            assert np.abs(want[name]).max() > 0, name
            assert data[name] == pytest.approx(want[name], rel=1e-9, abs=1e-12 * np.abs(want[name]).max()), name


def test_plastic_strain_is_what_has_dissipated(case, program, tmp_path):
    """Without hardening a material dissipates its yield stress times the accumulated plastic strain."""
    yield_stress, elastic = 10e6, "young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200, plane: stress"
    materials = (f"[{{law: linear_elastic, {elastic}}}, {{on: soft, law: j2, {elastic}, yield_stress: {yield_stress}, "
                 "hardening: {linear: 0}}]")
    results = cleave.run(case, program=program, output=tmp_path, set={
        "material": materials, "mesh.regions": "{soft: {box: [0, 0, 0.005, 0.01]}}", "cohesive": "none",
        "initial.velocity_gradient": "{xx: 2.0e3, yy: 1.0e3}", "output.fields": "[plastic_strain, velocity]"})
    frame = results.frames[-1]
    corners = frame.points[frame.cells[:, :3]]
    sides = corners[:, 1:] - corners[:, :1]
    area = (sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]) / 2
    strain = frame["plastic_strain"]
    soft = corners[:, :, 0].mean(axis=1) < 0.005
    assert strain.shape == (256,) and (strain[~soft] == 0).all() and (strain[soft] > 1e-3).any()
    thickness = results.case["mesh"]["thickness"]
    dissipated = yield_stress * (strain * area).sum() * thickness
    assert dissipated == pytest.approx(results.history["plastic_energy"].iloc[-1], rel=0.01)
    assert set(frame.cell_data) == {"plastic_strain"}


def test_frames_go_to_meshio(results, tmp_path):
    meshio = pytest.importorskip("meshio")
    frame = results.crack_frames[-1]
    meshio.write(tmp_path / "cracks.vtu", frame.to_meshio())
    again = meshio.read(tmp_path / "cracks.vtu")
    assert again.cells[0].type == "line3"
    assert (again.cell_data["damage"][0] == frame["damage"]).all()


def test_frames_go_to_pyvista(results):
    pytest.importorskip("pyvista")
    frame = results.frames[-1]
    grid = frame.to_pyvista()
    assert grid.n_cells == 256 and (grid.point_data["velocity"] == frame["velocity"]).all()


@pytest.fixture(scope="module")
def hdf_directory(case, program, tmp_path_factory):
    """Of the same run as `directory`, with its frames in two files."""
    out = tmp_path_factory.mktemp("vtkhdf")
    done = subprocess.run([program, "run", case, "--quiet", "--output", out, "--set", "output.format=vtkhdf"],
                          capture_output=True, text=True)
    if "HDF5" in done.stderr:
        pytest.skip("the program was built without HDF5")
    done.check_returncode()
    return out


def test_vtkhdf_holds_the_same(results, hdf_directory):
    pytest.importorskip("h5py")
    other = cleave.Results(hdf_directory)
    for series, others in ((results.frames, other.frames), (results.crack_frames, other.crack_frames)):
        assert (series.times == others.times).all()
        for one, two in zip(series, others):
            assert one.cell_type == two.cell_type or len(one.cells) == 0
            assert (one.points == two.points).all() and (one.cells == two.cells).all()
            for arrays, same in ((one.point_data, two.point_data), (one.cell_data, two.cell_data)):
                assert arrays.keys() == same.keys()
                assert all((arrays[name] == same[name]).all() for name in arrays)


def vtu_frames_of_vtk(directory, series):
    reader = pytest.importorskip("vtkmodules.vtkIOXML").vtkXMLUnstructuredGridReader()
    for file in sorted(directory.glob(f"{series}_*.vtu")):
        reader.SetFileName(str(file))
        reader.Update()
        assert reader.GetErrorCode() == 0
        yield reader.GetOutput()


def hdf_frames_of_vtk(directory, series, times):
    reader = pytest.importorskip("vtkmodules.vtkIOHDF").vtkHDFReader()
    reader.SetFileName(str(directory / f"{series}.vtkhdf"))
    reader.UpdateInformation()
    key = pytest.importorskip("vtkmodules.vtkCommonExecutionModel").vtkStreamingDemandDrivenPipeline.TIME_STEPS()
    assert list(reader.GetOutputInformation(0).Get(key)) == list(times)
    for time in times:
        reader.UpdateTimeStep(time)
        yield reader.GetOutput()


def arrays_of_vtk(grid):
    """All that a grid of VTK holds, by names that say where."""
    numpy_support = pytest.importorskip("vtkmodules.util.numpy_support")
    cells = grid.GetCells()
    arrays = {"points": grid.GetPoints().GetData(), "connectivity": cells.GetConnectivityArray(),
              "offsets": cells.GetOffsetsArray()}
    for place, data in (("point", grid.GetPointData()), ("cell", grid.GetCellData())):
        for i in range(data.GetNumberOfArrays()):
            arrays[f"{place} {data.GetArrayName(i)}"] = data.GetArray(i)
    types = np.array([grid.GetCellType(i) for i in range(grid.GetNumberOfCells())])
    return {"types": types, **{name: numpy_support.vtk_to_numpy(array) for name, array in arrays.items()}}


@pytest.mark.parametrize("series", ["bulk", "cracks"])
def test_vtk_reads_the_same_from_vtu_and_vtkhdf(results, directory, hdf_directory, series):
    frames = results.frames if series == "bulk" else results.crack_frames
    read = 0
    for frame, one, two in zip(frames, vtu_frames_of_vtk(directory, series),
                               hdf_frames_of_vtk(hdf_directory, series, frames.times)):
        read += 1
        if len(frame.cells) == 0:  # the .vtu file has a cell without points, for meshio
            assert one.GetNumberOfPoints() == two.GetNumberOfPoints() == two.GetNumberOfCells() == 0
            continue
        arrays, same = arrays_of_vtk(one), arrays_of_vtk(two)
        assert arrays.keys() == same.keys()
        for name, values in arrays.items():
            assert values.dtype.kind == same[name].dtype.kind and np.array_equal(values, same[name]), name
        # And what VTK reads is what this package reads.
        assert np.array_equal(arrays["points"][:, :2], frame.points) and (arrays["points"][:, 2] == 0).all()
        assert np.array_equal(arrays["connectivity"].reshape(frame.cells.shape), frame.cells)
        for place, data in (("point", frame.point_data), ("cell", frame.cell_data)):
            assert {f"{place} {name}" for name in data} == {name for name in arrays if name.startswith(place + " ")}
            assert all(np.array_equal(arrays[f"{place} {name}"], values) for name, values in data.items())
    assert read == len(frames) == 11 and len(frame.cells) > 100


def test_meshio_reads_an_empty_crack_frame(directory):
    meshio = pytest.importorskip("meshio")
    mesh = meshio.read(directory / "cracks_000000.vtu")
    assert len(mesh.points) == 0 and sum(len(block.data) for block in mesh.cells) == 0
    assert {name: values.shape for name, values in mesh.point_data.items()} == {
        "displacement": (0, 3), "displacement_a": (0, 3), "displacement_b": (0, 3)}


def test_a_directory_without_results(tmp_path):
    with pytest.raises(cleave.ResultsError, match="nowhere: no such directory; give the output directory of a run"):
        cleave.Results(tmp_path / "nowhere")
    with pytest.raises(cleave.ResultsError, match="no history.csv.*output.directory"):
        cleave.Results(tmp_path)


def test_files_that_are_missing_or_damaged(directory, tmp_path):
    shutil.copy(directory / "history.csv", tmp_path)
    results = cleave.Results(tmp_path)
    with pytest.raises(cleave.ResultsError, match="probes.csv: no such file; a case writes it when it has `output.probes`"):
        results.probes
    with pytest.raises(cleave.ResultsError, match="neither bulk.pvd nor bulk.vtkhdf"):
        results.frames
    (tmp_path / "summary.json").write_text('{"title": ')
    with pytest.raises(cleave.ResultsError, match="summary.json:1: not JSON"):
        results.summary
    (tmp_path / "case.resolved.yaml").write_text("mesh: [1")
    with pytest.raises(cleave.ResultsError, match="case.resolved.yaml: not YAML"):
        results.case
    (tmp_path / "fragments.csv").write_text("step,time\n")
    with pytest.raises(cleave.ResultsError, match="fragments.csv: no rows yet"):
        results.fragments
    write_series(tmp_path, "bulk", [0.0, 1.0])
    (tmp_path / "bulk_000000.vtu").write_text("<VTKFile")
    with pytest.raises(cleave.ResultsError, match="bulk_000000.vtu: not a frame that Cleave has written .*; run the case"):
        results.frames[0]
    with pytest.raises(cleave.ResultsError, match="bulk_000001.vtu: no such file, though .*bulk.pvd names it"):
        results.frames[1]


def test_an_array_that_is_not_there_is_named_with_the_nearest(tmp_path):
    (tmp_path / "history.csv").write_text("step,time\n0,0\n")
    write_series(tmp_path, "bulk", [0.0])
    write_body(tmp_path / "bulk_000000.vtu")
    with pytest.raises(cleave.ResultsError, match="no array 'velocty'; did you mean 'velocity'"):
        cleave.Results(tmp_path).frames[0]["velocty"]


def test_numbers_are_read_to_the_last_bit(directory, results):
    rows = (directory / "history.csv").read_text().splitlines()
    written = [float(row.split(",")[2]) for row in rows[1:]]
    assert np.array_equal(results.history["kinetic_energy"], written)
    assert json.dumps(results.summary)  # plain values, as another program may want them


@pytest.mark.parametrize("keys", [{}, {"mesh.numbering": "as_given"}, {"run.assembly": "coloured"},
                                  {"output.format": "vtkhdf"}], ids=str)
def test_positions_and_triangles_are_found_by_the_ids_of_the_mesh_file(case, program, tmp_path, keys):
    # The mesh of the case, in any order and with ids of its own, some of which are left out.
    subprocess.run([program, "mesh", case, "-o", tmp_path / "square.msh", "--format", "msh22-ascii"], check=True)
    lines = (tmp_path / "square.msh").read_text().splitlines()
    nodes, elements = (lines[lines.index("$" + name) + 2:lines.index("$End" + name)] for name in ("Nodes", "Elements"))
    random = np.random.default_rng(3)
    new = dict(zip([row.split()[0] for row in nodes], 10 + 3 * random.permutation(len(nodes))))
    place, corners, rows = {}, {}, []
    for row in nodes:
        tag, x, y, _ = row.split()
        place[new[tag]] = [float(x), float(y)]
    for row in elements:
        _, kind, _, *groups = row.split()[:5]
        ids = [new[tag] for tag in row.split()[5:]]
        rows.append([kind, "2", *groups, *ids])
    tags = 7 + 2 * random.permutation(len(rows))
    for tag, row in zip(tags, rows):
        if row[0] == "9":
            corners[tag] = row[4:]
    (tmp_path / "shuffled.msh").write_text("\n".join([
        *lines[:lines.index("$Nodes") + 1], str(len(nodes)),
        *(f"{tag} {x!r} {y!r} 0" for tag, (x, y) in (list(place.items())[i] for i in random.permutation(len(place)))),
        "$EndNodes", "$Elements", str(len(rows)),
        *(" ".join(map(str, [tags[i], *rows[i]])) for i in random.permutation(len(rows))), "$EndElements", ""]))
    text = case.read_text().replace("{shape: rectangle, size: [0.01, 0.01], divisions: [8, 8], element: T6, "
                                    "perturbation: {amplitude: 0.1, seed: 1}}", "{file: shuffled.msh}")
    (tmp_path / "shuffled.yaml").write_text(text)
    results = cleave.run(tmp_path / "shuffled.yaml", set=keys, program=program, output=tmp_path / "out")

    for frame in (results.frames[0], results.frames[-1]):
        ids = frame.point_data["original_node"]
        assert set(ids) == set(place)
        assert (frame.points == [place[i] for i in ids]).all()
        # Copies stand for the node that they come from in their triangles, too.
        assert set(frame["original_element"]) == set(corners)
        for tag, cell in zip(frame["original_element"], frame.cells):
            assert list(ids[cell]) == corners[tag]
    assert len(results.frames[0].points) == len(place) < len(results.frames[-1].points)
    assert len(set(results.frames[0].point_data["original_node"])) == len(place)

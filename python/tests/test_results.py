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


def test_vtk_reads_frames(results):
    """What ParaView reads is what the package reads."""
    vtk_readers, vtk_numpy = pytest.importorskip("vtkmodules.vtkIOXML"), pytest.importorskip("vtkmodules.util.numpy_support")
    for name, series in (("bulk", results.frames), ("cracks", results.crack_frames)):
        reader = vtk_readers.vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(results.directory / f"{name}_{len(series) - 1:06d}.vtu"))
        reader.Update()
        same_in_vtk(reader.GetOutput(), series[-1], vtk_numpy.vtk_to_numpy)


def same_in_vtk(grid, frame, to_numpy):
    assert grid.GetNumberOfCells() == len(frame.cells) > 0
    assert (to_numpy(grid.GetPoints().GetData())[:, :2] == frame.points).all()
    assert (to_numpy(grid.GetCells().GetConnectivityArray()) == frame.cells.ravel()).all()
    for arrays, data in ((frame.point_data, grid.GetPointData()), (frame.cell_data, grid.GetCellData())):
        for name, values in arrays.items():
            found = to_numpy(data.GetArray(name))
            assert (found[:, :values.shape[1]] if values.ndim == 2 else found).tolist() == values.tolist(), name


def test_vtk_reads_vtkhdf(results, case, program, tmp_path):
    vtk_hdf, vtk_numpy = pytest.importorskip("vtkmodules.vtkIOHDF"), pytest.importorskip("vtkmodules.util.numpy_support")
    done = subprocess.run([program, "run", case, "--quiet", "--output", tmp_path, "--set", "output.format=vtkhdf"],
                          capture_output=True, text=True)
    if "HDF5" in done.stderr:
        pytest.skip("the program was built without HDF5")
    for name, series in (("bulk", results.frames), ("cracks", results.crack_frames)):
        reader = vtk_hdf.vtkHDFReader()
        reader.SetFileName(str(tmp_path / f"{name}.vtkhdf"))
        reader.UpdateInformation()
        assert reader.GetNumberOfSteps() == len(series)
        for step in (len(series) // 2, len(series) - 1):
            reader.SetStep(step)
            reader.Update()
            grid = reader.GetOutput()
            assert len(series[step].cells) > 0
            same_in_vtk(grid, series[step], vtk_numpy.vtk_to_numpy)


def test_vtkhdf_holds_the_same(results, case, program, tmp_path):
    pytest.importorskip("h5py")
    done = subprocess.run([program, "run", case, "--quiet", "--output", tmp_path, "--set", "output.format=vtkhdf"],
                          capture_output=True, text=True)
    if "HDF5" in done.stderr:
        pytest.skip("the program was built without HDF5")
    other = cleave.Results(tmp_path)
    for series, others in ((results.frames, other.frames), (results.crack_frames, other.crack_frames)):
        assert (series.times == others.times).all()
        for one, two in zip(series, others):
            assert one.cell_type == two.cell_type or len(one.cells) == 0
            assert (one.points == two.points).all() and (one.cells == two.cells).all()
            for arrays, same in ((one.point_data, two.point_data), (one.cell_data, two.cell_data)):
                assert arrays.keys() == same.keys()
                assert all((arrays[name] == same[name]).all() for name in arrays)


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

"""Cracks drawn by hand on a square of 4 x 4 mm, whose counts, lengths and speeds are known."""
import shutil

import numpy as np
import pytest

import cleave
from cleave.crack_graph import boundary_facets, crack_graph, places_of
from cleave.frames import Frame, Series
from cleave.waves import rayleigh_speed, rayleigh_speed_of
from conftest import UNIT, body, write_body, write_cracks, write_history, write_series

# From the left side to the middle, where it branches; the lower branch goes on along a diagonal.
STEM = [((0, 2), (1, 2)), ((1, 2), (2, 2))]
BRANCHES = [((2, 2), (2, 3)), ((2, 2), (3, 2)), ((3, 2), (3, 1))]
APART = [((1, 1), (2, 1))]  # another crack, with both ends inside
CASE = "mesh: {thickness: 2.0e-3}\nmaterial: {young_modulus: 210e9, poisson_ratio: 0.3, density: 7850, plane: stress}\n"


@pytest.fixture
def drawn(tmp_path):
    """Results with three frames, 10 us apart: nothing; the stem; all, with one element that has not failed."""
    write_series(tmp_path, "bulk", [0.0, 1e-5, 2e-5])
    write_series(tmp_path, "cracks", [0.0, 1e-5, 2e-5])
    for i in range(3):
        write_body(tmp_path / f"bulk_{i:06d}.vtu")
    write_cracks(tmp_path / "cracks_000000.vtu", [], [])
    write_cracks(tmp_path / "cracks_000001.vtu", STEM, [1, 1])
    write_cracks(tmp_path / "cracks_000002.vtu", STEM + BRANCHES + APART + [((2, 3), (2, 4))], [1] * 6 + [0])
    write_history(tmp_path, [{"step": 0, "time": 0}, {"step": 20, "time": 2e-5, "dissipated_energy": 0.014}])
    (tmp_path / "case.resolved.yaml").write_text(CASE.replace("210e9", "2.1e+11"))
    return cleave.Results(tmp_path)


def test_a_branching_crack(drawn):
    table = drawn.cracks
    assert table["cohesive_elements"].tolist() == [0, 2, 7]
    assert table["failed_elements"].tolist() == [0, 2, 6]
    assert table["crack_length"].to_numpy() == pytest.approx([0, 2e-3, 7e-3])
    assert table["failed_length"].to_numpy() == pytest.approx([0, 2e-3, 6e-3])
    assert table["cracks"].tolist() == [0, 1, 2]
    assert table["tips"].tolist() == [0, 1, 4]  # the mouth at the left side is none
    assert table["branches"].tolist() == [0, 0, 1]
    assert table["dissipated_energy"].to_numpy() == pytest.approx([0, 0.007, 0.014])
    assert table["dissipated_per_area"].to_numpy()[1:] == pytest.approx([0.007 / (2e-3 * 2e-3), 0.014 / (7e-3 * 2e-3)])
    assert np.isnan(table["dissipated_per_area"][0])


def with_steps(drawn, steps):
    """The last frame of the drawn results with steps of insertion, of 1 us."""
    write_cracks(drawn.directory / "cracks_000002.vtu", STEM + BRANCHES + APART + [((2, 3), (2, 4))], [1] * 6 + [0], steps)
    return cleave.Results(drawn.directory)


# Rayleigh waves pass five sides of 1.14 mm on average in 1.94 us, over which speeds are means.
WINDOW = 5 * (2 + 2**0.5) / 3 * UNIT / rayleigh_speed(210e9, 0.3, 7850, "stress")


def test_speeds_of_a_branching_crack(drawn):
    # The stem early; then 1 mm to (2, 3), and 1 mm to (3, 2) and another to (3, 1), all at once. The crack apart is new.
    table = with_steps(drawn, [2, 3, 19, 19, 20, 19, 20]).cracks
    assert table["growth_rate"].to_numpy()[1:] == pytest.approx([0, 4e-3 / WINDOW], rel=0.02)
    assert np.isnan(table["tip_speed"][1])  # nothing moved within the window before it
    assert table["tip_speed"][2] == pytest.approx(2e-3 / WINDOW, rel=0.02)
    assert table["mean_tip_speed"][2] == pytest.approx(1.5e-3 / WINDOW, rel=0.02)
    assert table["tip_speed_over_rayleigh"][2] == pytest.approx(table["tip_speed"][2] / rayleigh_speed(210e9, 0.3, 7850, "stress"))


def test_speeds_are_those_of_insertion_not_of_frames(drawn):
    few = with_steps(drawn, [2, 3, 4, 4, 5, 4, 20])
    speeds = few.tip_speeds
    moving = speeds["time"][speeds["tip_speed"] > 0]
    assert 2e-6 < moving.min() and moving.max() < 5e-6 + 1.01 * WINDOW  # frames are at 0, 10 and 20 us
    assert speeds["tip_speed"].max() == pytest.approx(2e-3 / WINDOW, rel=0.02)
    assert few.cracks["tip_speed"].isna().all()  # nothing moved before 10 us and before 20 us


def test_what_broke_ahead_is_no_way_of_the_tip_that_joins_it(drawn):
    # (2, 2) to (3, 2) joins the stem with (3, 2) to (3, 1), which broke before it: 1 mm and not 2.
    speeds = with_steps(drawn, [2, 3, 30, 19, 18, 30, 30]).cracks["tip_speed"]
    assert np.isnan(speeds[2])  # it has joined: no tip of the stem is left
    speeds = with_steps(drawn, [2, 3, 19, 19, 18, 30, 30]).cracks["tip_speed"]
    assert speeds[2] == pytest.approx(1e-3 / WINDOW, rel=0.02)


def test_speeds_of_a_run_are_the_same_for_few_frames_and_many(program, case, results, tmp_path):
    few = cleave.run(case, set={"output.fields_every": 500}, program=program, output=tmp_path)
    assert len(few.frames) == 3 < len(results.frames)
    columns = ["time", "growth_rate", "tip_speed", "mean_tip_speed"]
    assert few.tip_speeds.equals(results.tip_speeds)
    assert few.cracks[columns].equals(results.cracks[columns].iloc[[0, 5, 10]].reset_index(drop=True))
    assert results.tip_speeds["growth_rate"].max() > 0


def test_frames_without_steps_of_insertion_have_no_speeds(drawn):
    assert drawn.cracks[["growth_rate", "tip_speed", "mean_tip_speed"]].isna().all(axis=None)
    assert drawn.cracks["failed_length"].iloc[-1] > 0


def test_tables_are_written(drawn):
    (drawn.directory / "fragments.csv").write_text(
        "step,time,fragment,elements,area,mass,centre_x,centre_y,velocity_x,velocity_y,angular_velocity,kinetic_energy\n"
        "0,0,0,32,16e-6,2.5e-4,0,0,0,0,0,0\n")
    paths = drawn.write_tables()
    assert [path.name for path in paths] == ["cracks.csv", "fragment_statistics.csv"]
    assert paths[0].read_text().splitlines()[3].startswith("2,2e-05,7,0.007")


def test_a_crack_that_ends_at_a_notch_has_no_tip_there():
    points, cells = body()
    # The elements below y = 2 get nodes of their own at (0, 2): a notch from the left side to (1, 2).
    copied = np.vstack([points, points[10]])
    cells = cells.copy()
    below = copied[cells].mean(axis=1)[:, 1] < 2 * UNIT
    cells[below] = np.where(cells[below] == 10, 25, cells[below])
    notched = Frame(0, 0.0, copied[:, :2], cells, "triangle", {}, {})
    boundary = np.unique(places_of(notched.points)[boundary_facets(notched)])
    assert {(0, 2), (1, 2), (4, 4)} <= {(round(p.real / UNIT), round(p.imag / UNIT)) for p in boundary}
    ends = np.array([(1, 2), (2, 2)], dtype=float) * UNIT
    graph = crack_graph(Frame(0, 0.0, ends, np.array([[0, 1]]), "line", {}, {}), np.array([True]))
    assert graph.tips(boundary).tolist() == [2 * UNIT + 2j * UNIT]


def test_cracks_of_a_run_have_the_length_that_the_program_counts(results):
    last, history = results.cracks.iloc[-1], results.history.iloc[-1]
    assert last["crack_length"] == pytest.approx(history["crack_length"], rel=1e-12)
    assert last["cohesive_elements"] == history["cohesive_elements"]
    assert last["failed_elements"] == history["failed_elements"]
    assert last["branches"] > 0 and last["dissipated_energy"] == history["dissipated_energy"]


def begin_later(directory, kind, first):
    """Leaves the frames before one out of a list of frames."""
    file = directory / f"{kind}.pvd"
    gone = [f"{kind}_{number:06d}.vtu" for number in range(first)]
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(line for line in lines if not any(name in line for name in gone)))
    for name in gone:
        (directory / name).unlink(missing_ok=True)


@pytest.fixture
def later(directory, tmp_path):
    """Results of a run that was resumed without the frames from before, of which the first has cracks."""
    shutil.copytree(directory, tmp_path / "later")
    for kind in ("bulk", "cracks"):
        begin_later(tmp_path / "later", kind, 6)
    return cleave.Results(tmp_path / "later")


def test_cracks_of_the_first_frame_are_no_boundary(results, later):
    counts = ["time", "cohesive_elements", "failed_length", "cracks", "tips", "branches"]
    whole = results.cracks[counts][6:].reset_index(drop=True)
    assert whole["failed_length"][0] > 0 and whole["tips"].min() > 0
    assert later.cracks[counts].equals(whole)
    boundaries = [cleave.plot.pattern(one).axes[0].collections[1].get_segments() for one in (results, later)]
    whole, parted = ({tuple(map(tuple, np.sort(segment, axis=0))) for segment in one} for one in boundaries)
    assert whole == parted and len(whole) == len(boundaries[1]) == 4 * 8


def test_a_broken_first_frame_without_its_cracks_is_refused(later):
    begin_later(later.directory, "cracks", 7)
    with pytest.raises(cleave.ResultsError, match="cracks.pvd: no frame at .* s, at which bulk.pvd begins.*; run the case"):
        later.cracks


def test_frames_without_failed_say_so(drawn):
    frames = drawn.crack_frames
    frame = frames[1]
    del frame.cell_data["failed"]
    with pytest.raises(cleave.ResultsError, match="no array 'failed'; add it to `output.fields`"):
        cleave.cracks.failed_cracks(frame)
    assert isinstance(frames, Series)


def test_rayleigh_speed_of_steel():
    # Of VERIFICATION.md, section 1; the speed of plane stress is that of plane strain with nu / (1 + nu).
    assert rayleigh_speed(210e9, 0.3, 7850, "stress") == pytest.approx(2938.9, abs=0.05)
    assert rayleigh_speed(210e9, 0.3, 7850, "strain") == pytest.approx(2974.8, abs=0.05)
    # nu = 0: the squared ratio of Rayleigh's and shear speed is 3 - sqrt(5).
    assert rayleigh_speed(2.0, 0.0, 1.0) ** 2 == pytest.approx(3 - 5**0.5)


def test_of_several_materials_the_slowest_counts():
    steel = {"young_modulus": "2.1e11", "poisson_ratio": 0.3, "density": 7850, "plane": "strain"}
    lead = {"young_modulus": 16e9, "poisson_ratio": 0.44, "density": 11340, "plane": "strain"}
    assert rayleigh_speed_of({"material": [steel, lead]}) == rayleigh_speed(16e9, 0.44, 11340)
    assert np.isnan(rayleigh_speed_of({"material": [steel, {"law": "mine", "stiffness": 1.0}]}))

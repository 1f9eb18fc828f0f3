import subprocess

import matplotlib
import numpy as np
import pandas
import pytest
from matplotlib.collections import LineCollection, PolyCollection, TriMesh
from matplotlib.colors import to_rgba

import cleave
from cleave import plot
from cleave.command_line import main
from cleave.fields import colour_scale, field_names, field_of
from cleave.plot.body import _fragment_colours
from cleave.plot.series import SeriesPainter
from cleave.plot.style import BLACK
from conftest import SIZE, UNIT, body, write_body, write_cracks, write_series, write_vtu


def labels(figure):
    """All labels of axes, in the order in which they were made."""
    return [text for axes in figure.axes for text in (axes.get_xlabel(), axes.get_ylabel()) if text]


def coloured(figure):
    return [c for axes in figure.axes for c in axes.collections
            if isinstance(c, (TriMesh, PolyCollection)) and c.get_array() is not None and axes.get_title()]


def test_history_has_units_by_magnitude(results):
    assert labels(plot.history(results)) == ["energy (mJ)", "cohesive elements", "time (µs)", "fragments"]


def test_history_shows_the_warnings_unless_disabled(results):
    assert results.summary["warnings"]
    assert "warning: " in plot.history(results)._suptitle.get_text()
    assert plot.history(results, warnings=False)._suptitle is None


def test_counts_start_at_zero(results):
    results.history[["cohesive_elements", "failed_elements"]] = 0
    _, elements, fragments = plot.history(results).axes[:3]
    assert elements.get_ylim() == (0.0, 1.0) and fragments.get_ylim()[0] == 0


def test_energies_that_stay_zero_are_not_drawn(results):
    drawn = [text.get_text() for text in plot.history(results).axes[0].get_legend().get_texts()]
    assert "dissipated by cracks" in drawn and "plastic" not in drawn and "external work" not in drawn


def test_columns_have_their_units(results):
    figure = plot.columns(results.history, "displacement_left_y", "reaction_left_x")
    assert labels(figure) == ["displacement_left_y (µm)", "reaction_left_x (N)"]
    with pytest.raises(cleave.ResultsError, match="no column 'reaction_leftx'; did you mean 'reaction_left_x'"):
        plot.columns(results.history, "time", "reaction_leftx")


LAWS = {
    "ppr": ("cohesive: {law: ppr, normal: {strength: 324.0e6, energy: 352}}\n"
            "point: {stiffness_cap: 1.0e15, contact_stiffness: 4.0e14, normal: 300.0e6}\n",
            "normal,tangential\n1.0e-7,2.0e-8\n6.0e-7,-1.0e-7\n", ("normal", "tangential"),
            ["opening (nm)", "traction of the law (MPa)", "opening (nm)", "traction of the account (MPa)", "row of the path",
             "energy (J/m²)"]),
    "j2": ("material: {law: j2, young_modulus: 210.0e9, poisson_ratio: 0.3, density: 7850, yield_stress: 400.0e6}\n",
           "time,xx,yy,xy\n1e-6,0,0,0.001\n2e-6,0,0,0.004\n", ("xx", "yy", "xy"),
           ["strain", "stress (MPa)", "time (µs)", "energy (MJ/m³)"]),
}


@pytest.mark.parametrize("law", LAWS)
def test_a_law_is_drawn_along_its_path(program, tmp_path, capsys, law):
    text, path, parts, shown = LAWS[law]
    (tmp_path / "law.yaml").write_text(text)
    (tmp_path / "path.csv").write_text(path)
    subprocess.run([program, "point", "law.yaml", "--path", "path.csv", "-o", "out.csv"], cwd=tmp_path, check=True)
    main(["plot", "law", str(tmp_path / "out.csv")])
    assert capsys.readouterr().out == f"written to {tmp_path / 'out.png'}\n"
    table = pandas.read_csv(tmp_path / "out.csv")
    figure = plot.law(table)
    assert labels(figure) == shown
    response, energies = figure.axes[0], figure.axes[-1]
    given = "law_traction" if law == "ppr" else "stress"
    for part, curve in zip(parts, response.lines, strict=True):
        assert curve.get_xdata() == pytest.approx(np.array(table[part]) * (1e9 if law == "ppr" else 1))
        assert curve.get_ydata() == pytest.approx(np.array(table[f"{given}_{part}"]) / 1e6)
    names = [text.get_text() for text in energies.get_legend().get_texts()]
    assert names == ["work", "stored", "dissipated", *(["account"] if law == "ppr" else [])]
    with pytest.raises(cleave.ResultsError, match="neither stresses over strains nor tractions over openings"):
        plot.law(table.drop(columns=parts[0]))


def test_the_envelope_of_a_law_is_drawn_without_the_account(program, tmp_path):
    (tmp_path / "law.yaml").write_text("cohesive: {normal: {strength: 850.0e6, energy: 2000}}\n"
                                       "point: {stiffness_cap: 2.05e15, normal: 850.0e6}\n")
    (tmp_path / "path.csv").write_text("normal,tangential\n" + "".join(f"{i * 2.5e-7},0\n" for i in range(1, 201)))
    subprocess.run([program, "point", "law.yaml", "--path", "path.csv", "-o", "out.csv"], cwd=tmp_path, check=True)
    table = pandas.read_csv(tmp_path / "out.csv")
    assert table["traction_normal"].max() > 1.01 * 850e6  # it overshoots the strength, by the spacing of rows
    response, account, _ = plot.law(table).axes
    drawn = response.lines[0].get_ydata()
    assert 0.94 * 850 < drawn.max() <= 850 * (1 + 1e-12)
    assert account.lines[0].get_ydata() + drawn == pytest.approx(table["traction_normal"].to_numpy() / 1e6)
    without = table.drop(columns=["law_traction_normal", "law_traction_tangential"])  # of an earlier version
    assert labels(plot.law(without))[1] == "traction (MPa)"


def test_cracks_have_the_rayleigh_speed(results):
    figure = plot.cracks(results)
    assert labels(figure) == ["failed length (mm)", "number", "time (µs)", "speed (m/s)"]
    names = [text.get_text() for text in figure.axes[-1].get_legend().get_texts()]
    assert any(name.startswith("Rayleigh, ") for name in names)


def test_fragments_have_fits(results):
    figure = plot.fragments(results)
    names = [text.get_text() for axes in figure.axes[:4] if axes.get_legend() for text in axes.get_legend().get_texts()]
    for law in ("Weibull", "Rayleigh", "Grady"):
        assert any(name.startswith(law) for name in names), law
    with pytest.raises(cleave.ResultsError, match="no frame 11 in fragments.csv"):
        plot.fragments(results, 11)


def test_probes_are_beside_each_other(results):
    figure = plot.probes(results)
    assert [axes.get_title() for axes in figure.axes[:2]] == ["tip", "far"]
    far = figure.axes[1].lines[0].get_xdata()
    assert len(far) == 1000 // 7 + 1 and not np.isnan(far).any()
    with pytest.raises(cleave.ResultsError, match="no probe 'tipp'; did you mean 'tip'"):
        plot.probes(results, ["tipp"])


def test_values_along_a_line_have_a_curve_for_each_time(results):
    figure = plot.lines(results, "ux", "middle", times=[0, 0, results.history["time"].iloc[-1]])
    curves = figure.axes[0].lines
    assert len(curves) == 2  # each sample once
    assert curves[1].get_xdata() == pytest.approx(np.linspace(0, 10, 11))  # mm
    last = results.lines[(results.lines["line"] == "middle") & (results.lines["step"] == 1000)]
    shown = curves[1].get_ydata()
    assert shown / shown[-1] == pytest.approx(np.array(last["ux"] / last["ux"].iloc[-1]))
    assert len(plot.lines(results, "syy", "wall").axes[0].lines) == 6
    assert plot.lines(results).axes[0].get_title() == "middle"
    with pytest.raises(cleave.ResultsError, match="no line 'wal'; did you mean 'wall'"):
        plot.lines(results, "ux", "wal")
    with pytest.raises(cleave.ResultsError, match="no value 'uxx'; did you mean 'ux'"):
        plot.lines(results, "uxx")


def test_panels_of_a_field_have_one_scale_of_colours(results):
    figure = plot.fields(results, ["stress"], frames=[2, 5, -1], warp=2)
    panels = coloured(figure)
    assert len(panels) == 3 and len({panel.get_clim() for panel in panels}) == 1
    assert labels(figure)[-1] == "largest principal stress (MPa)"
    assert len({axes.get_xlim() for axes in figure.axes[:3]}) == 1  # and one of lengths
    alone, series = (coloured(plot.fields(results, "stress", [2], over_series=over))[0].get_clim() for over in (False, True))
    assert series[1] > alone[1]
    given = coloured(plot.fields(results, "speed", limits=(1.0, 30.0)))[0]
    assert given.get_clim() == (1.0, 30.0)


def test_fields_beside_each_other_have_their_own_scales(results):
    figure = plot.fields(results, ["speed", "energy", "stress_xy", "fragment"])
    assert labels(figure) == ["speed (m/s)", "strain energy density (kJ/m³)", "stress xy (MPa)"]
    with pytest.raises(cleave.ResultsError, match="2 frames and 3 fields do not make panels"):
        plot.fields(results, ["speed"] * 3, [0, 1])


def test_cracks_have_a_legend(results):
    for figure in (plot.fields(results), plot.pattern(results)):
        (legend,) = figure.legends
        assert [text.get_text() for text in legend.get_texts()][:2] == ["failed", "damage 0.5"]
    assert not plot.fields(results, frames=[0]).legends  # nothing has broken yet


def crack_lines(axes):
    """Number of faces, opacity and width of each line of cracks, whose faces are apart by gaps."""
    lines = [c for c in axes.collections if isinstance(c, LineCollection) and len(c.get_linewidths()) == len(c.get_paths())
             and to_rgba(c.get_color()[0])[:3] == to_rgba(BLACK)[:3]]
    return [(int(np.isnan(path.vertices[:, 0]).sum()), colour[3], width) for c in lines
            for path, colour, width in zip(c.get_paths(), c.get_color(), c.get_linewidths())]


def test_cracks_are_the_wider_and_darker_the_more_damage_they_have(results):
    frame = results.crack_frames[-1]
    failed, damage = int(frame["failed"].sum()), frame["damage"]
    assert 0 < failed < len(frame.cells)
    drawn = crack_lines(plot.fields(results).axes[0])
    faces, opacities, widths = zip(*drawn)
    assert opacities == tuple(sorted(opacities)) and widths == tuple(sorted(widths))
    assert faces[-1] == 2 * ((damage > 15 / 16) | frame["failed"].astype(bool)).sum() and opacities[-1] == 1  # two faces each
    assert 0.25 < dict((round(w, 3), o) for _, o, w in drawn).get(0.675, 0.35) < 0.45  # half damaged: a third as dark
    assert sum(faces) == 2 * ((damage > 1 / 16) | frame["failed"].astype(bool)).sum()  # sound ones are not drawn
    frame.cell_data["damage"] = np.zeros(len(frame.cells))
    results.crack_frames._read = lambda number: frame
    assert [count for count, *_ in crack_lines(plot.fields(results).axes[0])] == [2 * failed]


@pytest.mark.parametrize("missing", ["failed", "displacement_a", "displacement_b"])
def test_without_arrays_of_cracks_no_cracks_are_drawn(results, missing):
    cracks = results.crack_frames
    frames = [cracks[number] for number in range(len(cracks))]
    for frame in frames:
        frame.cell_data.pop(missing, None)
        frame.point_data.pop(missing, None)
    cracks._read = lambda number: frames[number]
    figure = plot.fields(results, ["stress", "fragment"], warp=2)
    assert coloured(figure) and not figure.legends
    assert not any(crack_lines(axes) for axes in figure.axes[:2])
    if missing == "failed":
        with pytest.raises(cleave.ResultsError, match="no array 'failed'; add it to `output.fields`"):
            plot.pattern(results)
    else:
        assert plot.fields(results, warp=0).legends  # undeformed faces lie where the body has them
        assert plot.pattern(results).legends


def test_a_run_without_arrays_of_cracks_is_drawn(program, case, tmp_path):
    results = cleave.run(case, set={"output.fields": ["displacement", "stress", "fragment"]}, program=program,
                         output=tmp_path)
    assert len(results.crack_frames[-1].cells) and not plot.fields(results, ["stress", "fragment"]).legends


@pytest.mark.parametrize("width, stacked", [(0.01, False), (0.04, True)])
def test_panels_of_wide_bodies_lie_below_each_other(program, case, tmp_path, width, stacked):
    results = cleave.run(case, set={"mesh.size": [width, 0.01], "time.steps": 10}, program=program, output=tmp_path)
    figure = plot.fields(results, ["stress", "speed"])
    figure.draw_without_rendering()
    first, second = (axes.get_position() for axes in figure.axes[:2])
    assert (first.y0 > second.y1) == stacked and (first.x1 < second.x0) != stacked


def test_a_frame_is_any_whole_number(results):
    one, other = (plot.fields(results, "stress", frames=number) for number in (2, np.int64(2)))
    assert one.axes[0].get_title() == other.axes[0].get_title()
    assert len(coloured(plot.fields(results, "stress", frames=np.arange(3)))) == 3


@pytest.mark.parametrize("names, frames, says", [([], (0, 1), "2 frames and 0 fields"), (["speed"], [], "0 frames and 1 fields"),
                                                 ([], [], "0 frames and 0 fields")])
def test_no_fields_and_no_frames_are_refused(results, names, frames, says):
    with pytest.raises(cleave.ResultsError, match=f"{says} do not make panels"):
        plot.fields(results, names, frames)


def test_the_pattern_shows_the_boundary_and_the_ends(results):
    axes = plot.pattern(results).axes[0]
    boundary = axes.collections[1]
    assert len(boundary.get_segments()) == 4 * 8  # sides of quads along the square
    tips, branches = (line.get_xdata() for line in axes.lines[:2])
    assert (len(tips), len(branches)) == tuple(results.cracks.iloc[-1][["tips", "branches"]])


def test_strain_is_drawn_when_it_is_there(tmp_path):
    points, cells = body()
    strain = np.tile([0.002, 0.0, 0.0, 0.001, 0.0, 0.0], (len(cells), 1))
    (tmp_path / "history.csv").write_text("step,time\n0,0\n")
    write_series(tmp_path, "bulk", [0.0])
    write_body(tmp_path / "bulk_000000.vtu", strain=strain, fragment=np.zeros(len(cells), dtype=np.int32))
    frame = cleave.Results(tmp_path).frames[0]
    field = field_of(frame, "strain")  # 0.001 +- sqrt(0.001^2 + 0.001^2)
    assert field.values == pytest.approx(0.001 * (1 + 2**0.5)) and field.unit == "" and not field.at_points
    assert colour_scale([frame], "strain").label == "largest principal strain"
    assert field_of(frame, "strain_xy").values == pytest.approx(0.001)
    assert {"strain_yy", "velocity_x", "speed", "fragment"} <= set(field_names(frame))


def moved_body(directory, displacement, fragment):
    """Results with two frames of the square: at rest, and displaced."""
    points, cells = body()
    (directory / "history.csv").write_text("step,time\n0,0\n")
    for kind in ("bulk", "cracks"):
        write_series(directory, kind, [0.0, 1e-6])
    for number, factor in enumerate((0, 1)):
        write_vtu(directory / f"bulk_{number:06d}.vtu", points, cells, {"displacement": factor * displacement},
                  {"fragment": np.asarray(fragment, dtype=np.int32)})
        write_cracks(directory / f"cracks_{number:06d}.vtu", [], [])
    return cleave.Results(directory)


@pytest.mark.parametrize("share", ["small", "large"])
def test_fragments_that_fly_away_do_not_make_the_body_small(tmp_path, share):
    points, cells = body()
    fragment = np.zeros(len(cells), dtype=int)
    fragment[0 if share == "small" else slice(0, 4)] = 1
    displacement = np.zeros_like(points)
    displacement[np.unique(cells[fragment == 1])] = 50 * SIZE * UNIT
    results = moved_body(tmp_path, displacement, fragment)
    axes = plot.fields(results, "fragment").axes[0]
    low, high = axes.get_xlim()
    assert low < 0 and high > SIZE * UNIT
    assert high - low < 1.5 * SIZE * UNIT


def test_the_view_follows_a_body_that_moves_as_a_whole(tmp_path):
    points, cells = body()
    results = moved_body(tmp_path, np.tile([3 * SIZE * UNIT, 0, 0], (len(points), 1)), np.zeros(len(cells)))
    assert plot.fields(results, "fragment").axes[0].get_xlim()[1] > 4 * SIZE * UNIT


def test_a_kind_of_quantity_has_one_colour_map_in_all_pictures(results):
    maps = {name: colour_scale(results.frames, name).style["cmap"] for name in field_names(results.frames[-1])}
    assert maps["largest_principal_stress"] in ("Reds", "RdBu_r") and maps["stress_xy"] == "RdBu_r"
    assert maps["energy"] == maps["strain_energy_density"] == "YlOrBr"
    assert maps["speed"] == maps["velocity"] == "GnBu" and maps["velocity_x"] == "PRGn"
    drawn = {panel.get_cmap().name for panel in coloured(plot.fields(results, ["stress", "stress"], [1, -1]))}
    assert drawn == {SeriesPainter(results, "stress", 1, [1, len(results.frames) - 1])._scale.style["cmap"]}


def test_pictures_of_a_series_have_one_view(results):
    painter = SeriesPainter(results, "stress", 2.0, [0, 5, 10], titled=True)
    first, last = painter.picture(0), painter.picture(10)
    assert first.size == last.size and first.tobytes() != last.tobytes()
    assert painter.picture(0).tobytes() == first.tobytes()  # nothing of another frame stays


def test_fragments_of_a_series_keep_their_colours():
    before = np.repeat([0, 1], [20, 12])
    after = np.repeat([0, 1, 2], [13, 7, 12])  # seven triangles break off, so that the numbers of others change
    one, other = (_fragment_colours(fragment, steady=True) for fragment in (before, after))
    kept = np.r_[0:13, 20:32]
    assert (one[kept] == other[kept]).all() and (one[13:20] != other[13:20]).any()


def test_what_is_no_number_does_not_spoil_the_colours(results):
    frame = results.frames[-1]
    before = colour_scale([frame], "speed").high
    frame.point_data["velocity"][:3] = np.nan, np.inf, -np.inf
    assert colour_scale([frame], "speed").high == pytest.approx(before, rel=0.02)


def test_the_largest_principal_stress_is_that_of_the_program(results):
    frame = results.frames[-1]
    assert field_of(frame, "stress").values == pytest.approx(frame["largest_principal_stress"], rel=1e-9, abs=1e-3)


def test_what_has_eroded_is_not_drawn(tmp_path):
    points, cells = body()
    corner = int(np.flatnonzero((cells == 24).any(axis=1) & (cells == 19).any(axis=1))[0])  # at (4, 4), with (4, 3)
    other = int(np.flatnonzero((cells == 24).any(axis=1) & (cells == 23).any(axis=1))[0])
    fragment = np.zeros(len(cells), dtype=np.int32)
    fragment[[corner, other]] = -1
    (tmp_path / "history.csv").write_text("step,time\n0,0\n")
    for kind in ("bulk", "cracks"):
        write_series(tmp_path, kind, [0.0])
    write_body(tmp_path / "bulk_000000.vtu", fragment=fragment)
    write_cracks(tmp_path / "cracks_000000.vtu", [], [])
    results = cleave.Results(tmp_path)
    standing = results.frames[0].standing()
    assert len(standing.cells) == len(cells) - 2 and len(standing.points) == len(points) - 1
    assert (standing.points[standing.cells] == points[cells[fragment == 0]][:, :, :2]).all()
    figure = plot.fields(results, "fragment")
    assert figure.axes[0].get_title() == "0 s, 1 fragment"
    assert len(figure.axes[0].collections[0].get_paths()) == len(cells) - 2


def test_a_field_that_is_not_there_is_named_with_the_nearest(results):
    with pytest.raises(cleave.ResultsError, match="no field 'stres_xx'; did you mean 'stress_xx'"):
        plot.fields(results, "stres_xx")
    with pytest.raises(cleave.ResultsError, match="there is no frame 11: there are 11, from 0"):
        plot.fields(results, frames=[11])


@pytest.mark.parametrize("kind, options", [
    ("history", []), ("cracks", []), ("fragments", ["--frame", "-2"]), ("probes", ["--probe", "far"]),
    ("lines", ["--value", "vx", "--line", "wall", "--times", "0", "1e-6"]), ("pattern", []),
    ("fields", ["--frame", "3", "-1", "--field", "speed", "--series"]),
    ("columns", ["--y", "failed_length", "--table", "cracks"])])
def test_the_command_line_writes_pictures(directory, tmp_path, capsys, kind, options):
    picture = tmp_path / f"{kind}.png"
    main(["plot", kind, str(directory), "-o", str(picture), *options])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().out == f"written to {picture}\n"


@pytest.mark.parametrize("arguments, says", [
    (["plot", "history", "NOWHERE"], "NOWHERE: no such directory; give the output directory of a run"),
    (["plot", "fields", "RESULTS", "--field", "sped"], "no field 'sped'; did you mean 'speed'? There are: displacement, "),
    (["plot", "history", "RESULTS", "-o", "x.jpgg"], "x.jpgg: unknown picture format; end the name in one of"),
    (["plot", "history", "RESULTS", "-o", "no/where.png"], "no/where.png: cannot be written (No such file or directory)"),
    (["plot", "law", "gone.csv"], "gone.csv: cannot be read (No such file or directory); give a file of `cleave point`"),
    (["report", "RESULTS", "-o", "no/where.html"], "no/where.html: its folder does not exist; make it"),
    (["benchmarks", "pictures", "gone.json"], "gone.json: cannot be read (No such file or directory)"),
    (["verification", "NOWHERE", "report"], "NOWHERE: has no figures.csv")])
def test_wrong_input_is_one_line_and_exit_code_2(directory, tmp_path, monkeypatch, capsys, arguments, says):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main([str(directory) if a == "RESULTS" else a for a in arguments])
    said = capsys.readouterr().err
    assert end.value.code == 2
    assert said.startswith("cleave-py: ") and said.count("\n") == 1 and says in said


def test_the_style_of_the_caller_is_left_alone(results):
    plot.history(results)
    for setting in ("font.size", "axes.spines.top", "svg.fonttype"):
        assert matplotlib.rcParams[setting] == matplotlib.rcParamsDefault[setting]


def test_obstacles_are_drawn_where_they_are(case, program, tmp_path):
    obstacles = "obstacles=[{name: ball, disc: {centre: [0.013, 0.005], radius: 2.0e-3}, velocity: {x: -5}}]"
    subprocess.run([program, "run", case, "--quiet", "--output", tmp_path, "--set", obstacles], check=True)
    results = cleave.Results(tmp_path)
    last = results.history.iloc[-1]
    assert last["ball_x"] == pytest.approx(0.013 - 5 * last["time"], rel=1e-12)
    frame = results.obstacle_frames[-1]
    assert np.allclose(np.hypot(*(frame.points - [last["ball_x"], last["ball_y"]]).T).max(), 2e-3)
    drawn, = (axes for axes in plot.fields(results, warp=1).axes if axes.get_title())
    shown = [c for c in drawn.collections if len(c.get_paths()) == len(frame.cells)]
    assert len(shown) == 1
    magnified, = (axes for axes in plot.fields(results, warp=2).axes if axes.get_title())
    assert len(magnified.collections) == len(drawn.collections) - 1

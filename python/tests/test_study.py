import re

import pytest

import cleave
from cleave.command_line import main
from cleave.page import number
from cleave.study_report import write_study_report
from test_report import Page

STUDY = """\
title: Strength <and> mesh
case: square.yaml
vary:
  cohesive.normal.strength: {from: 2.0e7, to: 8.0e7, count: 3, log: true}
  mesh.divisions: [[4, 4], [6, 6]]
  initial.velocity_gradient.xx: [2.0e4, -1.0e9]
set: {output.probes: [], output.fields_every: 0, time.steps: 300}
"""


@pytest.fixture(scope="module")
def study(case, program, tmp_path_factory):
    """Twelve runs, of which six fail."""
    file, out = case.parent / "study.yaml", tmp_path_factory.mktemp("study") / "out"
    file.write_text(STUDY)
    lines = []
    study = cleave.sweep(file, output=out, program=program, follow=lines.append, options=["--jobs", 2])
    assert sum("ETA" in line for line in lines) == 12 and study.directory == out
    return study


def test_the_table_has_values_as_written_and_numbers(study):
    assert list(study.table["mesh.divisions"][:3]) == ["[4, 4]", "[4, 4]", "[6, 6]"]
    assert (study.table["status"] == "done").sum() == 6 and len(study.done) == 6
    for row in study.done.to_dict("records"):
        last = study.results(row["run"]).history.iloc[-1]
        assert row["crack_length"] == last["crack_length"] and row["fragments"] == last["fragments"]


def test_plots_show_each_run_that_is_done(study):
    for key in ("cohesive.normal.strength", "mesh.divisions"):
        figure = cleave.plot.outcomes(study, key)
        assert sum(len(points.get_offsets()) for points in figure.axes[0].collections) == 6
    assert figure.axes[0].get_xlabel() == "mesh.divisions"
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["[4, 4]", "[6, 6]"]
    assert figure.axes[2].get_ylabel().startswith("failed length")
    histories = cleave.plot.histories(study)
    assert len(histories.axes[0].lines) == study.table["steps"].notna().sum()


def test_the_page_needs_nothing_from_elsewhere_and_has_all_runs(study, tmp_path):
    text = write_study_report(study, tmp_path / "r.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == [] and all(source.startswith("data:image/") for source in page.sources)
    assert "<h1>Strength &lt;and&gt; mesh</h1>" in text
    assert len(re.findall(r"<tr><td>run_\d{4}</td>", text)) == 12
    assert "Over cohesive.normal.strength" in text and "Over mesh.divisions" in text
    assert "Over initial.velocity_gradient.xx" not in text  # one value alone is done


@pytest.fixture(scope="module")
def seeds(case, program, tmp_path_factory):
    """Two strengths, each with three seeds."""
    file, out = case.parent / "seeds.yaml", tmp_path_factory.mktemp("seeds") / "out"
    file.write_text("title: Seeds\ncase: square.yaml\n"
                    "vary: {cohesive.normal.strength: [2.0e7, 4.0e7], mesh.perturbation.seed: [1, 2, 3]}\n"
                    "set: {output.probes: [], output.lines: [], output.fields_every: 0}\n")
    return cleave.sweep(file, output=out, program=program)


def test_seeds_are_a_band_around_their_mean(seeds):
    for axes, column in zip(cleave.plot.histories(seeds).axes, ("dissipated_energy", "fragments")):
        assert len(axes.lines) == len(axes.collections) == 2  # a mean and a band for each strength
        ends = sorted(seeds.done.groupby("cohesive.normal.strength")[column].mean())
        drawn = sorted(line.get_ydata()[-1] for line in axes.lines)
        assert drawn[0] / drawn[1] == pytest.approx(ends[0] / ends[1], rel=1e-3)  # they go as far as the shortest run
    over = cleave.plot.outcomes(seeds, "cohesive.normal.strength").axes[0]
    assert len(over.lines) == 1 and over.lines[0].get_ydata() == pytest.approx(
        seeds.done.groupby("cohesive.normal.strength")["fragments"].mean().to_numpy())
    band = over.collections[-1].get_paths()[0].vertices[:, 1]
    assert (band.min(), band.max()) == (seeds.done["fragments"].min(), seeds.done["fragments"].max())
    assert not cleave.plot.outcomes(seeds, "mesh.perturbation.seed").axes[0].lines  # seeds have no order


def test_the_page_has_no_line_over_seeds_and_the_failed_length(seeds, tmp_path):
    text = write_study_report(seeds, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "Over cohesive.normal.strength" in text and "Over mesh.perturbation.seed" not in text
    assert "a band from the smallest to the largest" in text
    assert str(seeds.directory.parent) not in text[:text.index("<h2>Study</h2>")]
    for run in seeds.done["run"]:
        length = seeds.results(run).cracks["failed_length"].iloc[-1]
        assert f'<td class="n">{number(float(length), "m")}</td>' in text


def test_a_wrong_study_raises_its_report(case, program, tmp_path):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(STUDY.replace("case: square.yaml", f"case: {case}").replace("vary:", "vari:"))
    with pytest.raises(cleave.RunError, match='did you mean "vary"') as error:
        cleave.sweep(wrong, program=program)
    assert error.value.exit_code == 2


def test_report_takes_a_study_or_says_what_is_missing(study, tmp_path, capsys):
    main(["report", str(study.directory), "-o", str(tmp_path / "page.html")])
    assert "written to" in capsys.readouterr().out
    with pytest.raises(cleave.ResultsError, match="no study.csv"):
        cleave.Study(tmp_path)


def test_a_study_that_waits(study, tmp_path):
    for name in ("study.csv", "study.resolved.yaml"):
        (tmp_path / name).write_bytes((study.directory / name).read_bytes())
    table = (tmp_path / "study.csv").read_text().splitlines()
    commas = table[0].count(",") - 4
    values = [re.match(r'run_\d+,\w+,([^,]*,"[^"]*",[^,]*)', line).group(1) for line in table[1:]]
    rows = [f"run_{i + 1:04},waiting,{value}" + "," * commas for i, value in enumerate(values)]
    (tmp_path / "study.csv").write_text("\n".join([table[0], *rows]) + "\n")
    waiting = cleave.Study(tmp_path)
    assert "No run is done yet." in write_study_report(waiting).read_text(encoding="utf-8")
    with pytest.raises(cleave.ResultsError, match="no run has written a history yet; wait until one has"):
        cleave.plot.histories(waiting)

"""Files that a power cut, an editor or a stranger has left: each gives a ResultsError, and nothing of them becomes markup
or a formula."""
import json
import shutil

import pytest
import yaml

import cleave
from cleave.command_line import main
from cleave.report import write_report
from cleave.study_report import write_study_report
from conftest import write_history
from test_report import Page

SCRIPT = "<script>alert(1)</script>"
TABLES = ("history.csv", "fragments.csv", "probes.csv", "lines.csv", "summary.json", "case.resolved.yaml", "bulk.pvd",
          "cracks.pvd", "bulk_000001.vtu")
DAMAGE = {
    "empty": b"", "one byte": b"\n", "not UTF-8": b"\xff\xfe\xfa", "Latin 1 in the middle": None, "zeros": b"\0" * 512,
    "another table": b"a,b\n1,2\n", "words for numbers": b"step,time\n1,soon\n", "a list": b"[1, 2]\n", "a number": b"5\n",
    "nothing": b"null\n", "brackets": b"[" * 100_000, "quotes": b'step,time\n"1,2\n', "a date": b"a: 2021-99-99\n",
    "markup": b"<VTKFile></VTKFile>", "an entry without a file": b'<V><DataSet timestep="1"/></V>',
}


def damaged(directory, to, name, damage):
    out = shutil.copytree(directory, to / "out")
    data = (out / name).read_bytes()
    (out / name).write_bytes(data[: len(data) // 2] + b"\xfc" + data[len(data) // 2:] if damage is None else damage)
    return out


def touch_all(results):
    """Asks for everything, as a page does."""
    for name in ("history", "fragments", "probes", "lines", "summary", "case", "cracks", "fragment_statistics"):
        getattr(results, name)
    list(results.frames), list(results.crack_frames)


@pytest.mark.parametrize("damage", DAMAGE, ids=str)
@pytest.mark.parametrize("name", TABLES)
def test_damage_is_reported_with_the_file(directory, tmp_path, name, damage):
    if damage in ("Latin 1 in the middle", "zeros") and name.endswith(".vtu"):
        pytest.skip("the arrays of a frame are bytes")
    out = damaged(directory, tmp_path, name, DAMAGE[damage])
    with pytest.raises(cleave.ResultsError, match=name.replace(".", r"\.")):
        touch_all(cleave.Results(out))


@pytest.mark.parametrize("name, damage", [("history.csv", "empty"), ("summary.json", "not UTF-8"),
                                          ("case.resolved.yaml", "a list"), ("bulk.pvd", "another table"),
                                          ("lines.csv", "empty"), ("history.csv", "another table"),
                                          ("summary.json", "a list")])
def test_the_command_line_ends_with_one_line(directory, tmp_path, name, damage, capsys):
    out = damaged(directory, tmp_path, name, DAMAGE[damage])
    try:
        main(["report", str(out)])  # leaves out what it cannot read
    except SystemExit as end:
        assert end.code == 2
        said = capsys.readouterr().err
        assert said.startswith("cleave-py: ") and said.count("\n") == 1 and name in said
    else:
        assert "Left out here: " in (out / "report.html").read_text(encoding="utf-8")


def test_a_summary_without_a_key_and_with_a_wrong_one(directory, tmp_path):
    out = shutil.copytree(directory, tmp_path / "out")
    (out / "summary.json").write_text('{"title": "a"}')
    with pytest.raises(cleave.ResultsError, match="summary.json: the key 'status' is missing; run the case again"):
        cleave.Results(out).summary["status"]
    (out / "summary.json").write_text('{"elements": "many"}')
    with pytest.raises(cleave.ResultsError, match="summary.json: elements is a text, which is invalid"):
        cleave.Results(out).summary


def test_a_case_can_be_written_again(results):
    case = results.case
    assert yaml.safe_load(yaml.safe_dump(case)) == case == yaml.safe_load(yaml.dump(case))


STUDY = """\
title: "Study {0}"
case: square.yaml
vary:
  "curves.{0}.exponential": [1.0e-4, 2.0e-4]
  title: ["{0}", "$x^"]
set: {{output.probes: [], output.lines: [], output.fields_every: 0, time.steps: 20}}
"""


@pytest.fixture(scope="module")
def hostile_study(case, program, tmp_path_factory):
    file, out = case.parent / "hostile.yaml", tmp_path_factory.mktemp("hostile") / "out"
    file.write_text(STUDY.format(SCRIPT))
    return cleave.sweep(file, output=out, program=program)


def test_no_key_and_no_value_of_a_study_is_markup(hostile_study, tmp_path):
    assert (hostile_study.table["status"] == "done").all()
    text = write_study_report(hostile_study, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<script" not in text and "&lt;script&gt;" in text
    assert Page(text).open == []


@pytest.mark.parametrize("column", ["run", "status"])
def test_nor_is_a_cell_of_its_table(hostile_study, tmp_path, column):
    shutil.copy(hostile_study.directory / "study.resolved.yaml", tmp_path)
    table = hostile_study.table.copy()
    table[[name for name in table.columns if name not in ("run", "status", *hostile_study.keys)]] = float("nan")
    table.loc[0, column] = SCRIPT
    table.to_csv(tmp_path / "study.csv", index=False)
    text = write_study_report(cleave.Study(tmp_path), tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<script" not in text and Page(text).open == []


def test_no_text_of_a_summary_is_markup(directory, tmp_path):
    out = shutil.copytree(directory, tmp_path / "out")
    summary = json.loads((out / "summary.json").read_text())
    for key, value in summary.items():
        if isinstance(value, str):
            summary[key] = SCRIPT
    summary["warnings"] = [SCRIPT, "`" + SCRIPT]
    summary["stages"] = [{"name": SCRIPT, "seconds": 1.0, "calls": 1}, {"name": "$x^$", "seconds": 1.0, "calls": 1}]
    (out / "summary.json").write_text(json.dumps(summary))
    text = write_report(cleave.Results(out)).read_text(encoding="utf-8")
    assert "<script>alert" not in text and "&lt;script&gt;" in text and Page(text).open == []


DOLLARS = "$x^{_$ $\\frac$"


def test_dollars_begin_no_formula(results, tmp_path):
    table = results.history.rename(columns={"strain_energy": DOLLARS})
    cleave.plot.columns(table, "time", DOLLARS).savefig(tmp_path / "columns.png")
    write_history(tmp_path, [{"step": 0}, {"step": 1, "time": 1, "kinetic_energy": 1}])
    (tmp_path / "summary.json").write_text('{"warnings": ["group $x^$ {_$"]}')
    (tmp_path / "lines.csv").write_text(f"step,time,line,s,x,y,$v_$\n0,0,{DOLLARS},0,0,0,1\n0,0,{DOLLARS},1,0,0,2\n")
    names = [f"{DOLLARS}.{part}" for part in ("ux", "uy", "vx", "vy", "sxx", "syy", "sxy")]
    (tmp_path / "probes.csv").write_text(f"step,time,{','.join(names)}\n0,0{',1' * 7}\n1,1{',2' * 7}\n")
    other = cleave.Results(tmp_path)
    for figure in (cleave.plot.history(other), cleave.plot.lines(other, "$v_$"), cleave.plot.probes(other)):
        figure.savefig(tmp_path / "picture.svg")
    assert DOLLARS in (tmp_path / "picture.svg").read_text(encoding="utf-8")


def test_powers_of_ten_are_still_formulas(results):
    figure = cleave.plot.fragments(results)
    figure.canvas.draw()
    labels = [label for axes in figure.axes if axes.get_xscale() == "log" for label in axes.get_xticklabels()]
    assert labels and all(label.get_parse_math() for label in labels)


def test_a_study_with_dollars_is_drawn(case, program, tmp_path):
    file = case.parent / "dollars.yaml"
    file.write_text(STUDY.format("$x^$"))
    study = cleave.sweep(file, output=tmp_path / "out", program=program)
    assert (study.table["status"] == "done").all()
    cleave.plot.histories(study).savefig(tmp_path / "histories.png")
    for key in study.keys:
        cleave.plot.outcomes(study, key).savefig(tmp_path / "outcomes.png")


@pytest.mark.parametrize("name", ["study.csv", "study.resolved.yaml"])
@pytest.mark.parametrize("damage", ["empty", "not UTF-8", "a list", "another table", "nothing", "brackets"])
def test_damage_of_a_study_is_reported_with_the_file(hostile_study, tmp_path, name, damage):
    for file in ("study.csv", "study.resolved.yaml"):
        shutil.copy(hostile_study.directory / file, tmp_path)
    (tmp_path / name).write_bytes(DAMAGE[damage])
    with pytest.raises(cleave.ResultsError, match=name.replace(".", r"\.")):
        write_study_report(cleave.Study(tmp_path), tmp_path / "r.html")

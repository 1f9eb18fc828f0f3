import gc
import os
import pathlib
import signal
import stat
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest
import yaml

import cleave
from cleave.command_line import main
from cleave.running import _text_of, find_program


def test_a_run_gives_back_its_results(case, program, tmp_path):
    lines = []
    results = cleave.run(case, set={"time.steps": 40, "mesh.divisions": [4, 4], "title": "Small"}, program=program,
                         output=tmp_path / "out", follow=lines.append, options=["--force"])
    assert results.directory == tmp_path / "out"
    assert results.history["step"].iloc[-1] == 40
    assert results.summary["elements"] == 64 and results.summary["title"] == "Small"
    assert any("step 40/40" in line for line in lines), lines
    assert "Small" in lines


def test_without_output_it_is_where_the_case_says(case, program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    results = cleave.run(case, set={"time.steps": 10, "output.directory": "a b"}, program=program)
    assert (tmp_path / "a b" / "history.csv").exists() and len(results.history) == 1 + 1  # step 0 and the last


@pytest.mark.parametrize("values, place", [
    ({"output.directory": "a # b"}, "a # b"), ({"output.directory": pathlib.Path("007")}, "007"),
    ({"output.directory": "'quoted'"}, "quoted"), ({"output.directory": "a", "output": {"directory": "b"}}, "b")])
def test_a_quiet_run_is_found_where_set_says(case, program, tmp_path, monkeypatch, values, place):
    monkeypatch.chdir(tmp_path)
    results = cleave.run(case, set={**values, "time.steps": 10}, program=program, options=["--quiet"])
    assert str(results.directory) == place and (tmp_path / place / "history.csv").exists()


def test_a_quiet_run_without_a_place_does_not_start(case, program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for start in (cleave.run, cleave.sweep):
        with pytest.raises(cleave.ResultsError, match="leave `--quiet` out or give `output`"):
            start(case, program=program, options=["--quiet"])
    assert not list(tmp_path.iterdir())


def test_values_of_numpy_and_paths_are_values_of_a_case(case, program, tmp_path):
    values = {"mesh.perturbation.seed": np.int64(2), "material.density": np.float32(1100), "time.steps": np.array(10),
              "mesh.divisions": np.array([4, 6]), "title": pathlib.Path("a # b"),
              "initial.velocity_gradient": {"xx": np.float64(2e4)}}
    results = cleave.run(case, set=values, program=program, output=tmp_path / "out")
    assert results.case["mesh"]["perturbation"]["seed"] == 2 and results.case["material"]["density"] == 1100
    assert results.case["mesh"]["divisions"] == [4, 6] and results.case["title"] == "a # b"
    for value in ({1, 2}, [1j], {"a": object()}):
        with pytest.raises(cleave.ResultsError, match="`set`, title: no value of a case .*; give numbers, texts, lists"):
            cleave.run(case, set={"title": value}, program=program, output=tmp_path / "out")


@pytest.mark.parametrize("title", ["x # y", "a: b", "[draft] run", " x ", "#1", "- a", "%a", "*a", "@a", "it's 100 %", '"a" b',
                                   'back\\slash "b"', "a=b", "\u00e9\U0001f600"])
def test_a_text_arrives_as_it_is(case, program, tmp_path, title):
    results = cleave.run(case, set={"title": title, "time.steps": 1}, program=program, output=tmp_path)
    assert results.summary["title"] == results.case["title"] == title


@pytest.mark.parametrize("text", ["auto", "50e-6", "true", "[4, 40]", "\n[4, 40]\n", "{a: [1, b]}", "'a # b'", '"a # b"'])
def test_a_text_that_is_a_value_of_yaml_stays_one(text):
    assert _text_of("key", text) == text


def test_no_pipe_is_left_open(case, program, tmp_path):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cleave.run(case, set={"time.steps": 1}, program=program, output=tmp_path)
        with pytest.raises(cleave.RunError):
            cleave.run(case, set={"material.density": -1}, program=program, output=tmp_path)
        gc.collect()
    assert [str(one.message) for one in caught if issubclass(one.category, ResourceWarning)] == []


def test_a_wrong_case_is_reported_in_the_words_of_the_program(case, program):
    with pytest.raises(cleave.RunError) as error:
        cleave.run(case, set={"material.density": -1}, program=program)
    assert error.value.exit_code == 2
    assert error.value.report.startswith("cleave: ") and "material.density" in error.value.report
    assert str(error.value) == error.value.report


def test_a_run_that_fails_on_the_way(case, program, tmp_path):
    wild = {"initial.velocity_gradient.xx": -1e9, "cohesive": "none"}
    with pytest.raises(cleave.RunError) as error:
        cleave.run(case, set=wild, program=program, output=tmp_path)
    assert error.value.exit_code == 3
    assert error.value.report.startswith("cleave: ")
    assert cleave.Results(tmp_path).summary["status"] == "failed"  # what there is can be looked at


def test_an_interrupt_leaves_a_checkpoint(case, program, tmp_path):
    def interrupt(_):
        while not (tmp_path / "history.csv").exists():  # the first line comes before the first step
            time.sleep(0.01)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cleave.run(case, set={"time.steps": 10**8, "output.fields_every": 0, "output.history_every": 10**6},
                   program=program, output=tmp_path, follow=interrupt)
    assert cleave.Results(tmp_path).summary["status"] == "stopped"
    assert list(tmp_path.glob("checkpoint_*"))


def test_ctrl_c_reaches_the_program_once(case, tmp_path):
    """It goes to all processes of the terminal; a second one would stop the program before it has saved."""
    program, log = tmp_path / "program", tmp_path / "log"
    program.write_text(f"""#!{sys.executable}
import os, signal, time
log = open({str(log)!r}, "a", buffering=1)
ends = [time.monotonic() + 60]  # a second after an interrupt, for another one to come
def interrupt(*_):
    print("interrupted", file=log)
    ends.append(time.monotonic() + 1)
signal.signal(signal.SIGINT, interrupt)
print("out of the group:", os.getpgrp() != os.getppid(), file=log)
while time.monotonic() < ends[-1]:
    time.sleep(0.01)
""")
    program.chmod(0o755)
    command = [sys.executable, "-c", f"import cleave; cleave.run({str(case)!r}, program={str(program)!r})"]
    python = subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE, text=True)
    while not log.exists() or not log.read_text():
        time.sleep(0.01)
    os.killpg(python.pid, signal.SIGINT)
    assert "KeyboardInterrupt" in python.communicate(timeout=60)[1]
    assert log.read_text() == "out of the group: True\ninterrupted\n"


def test_a_case_is_written_once(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    main(["case"])
    assert yaml.safe_load((tmp_path / "quickstart.yaml").read_text())["output"]["directory"] == "out/quickstart"
    main(["case", "kalthoff", "-o", "mine.yaml"])
    assert "written to mine.yaml" in capsys.readouterr().out
    (tmp_path / "mine.yaml").write_text("changed")
    with pytest.raises(SystemExit):
        main(["case", "kalthoff", "-o", "mine.yaml"])
    assert "mine.yaml: exists already; give another name with -o" in capsys.readouterr().err
    assert (tmp_path / "mine.yaml").read_text() == "changed"


def test_where_the_program_is_looked_for(tmp_path, monkeypatch):
    def make(path):
        path.parent.mkdir(parents=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    argument, variable = make(tmp_path / "a" / "mine"), make(tmp_path / "b" / "other")
    in_path, old = make(tmp_path / "c" / "cleave"), make(tmp_path / "repo" / "build" / "run" / "src" / "cleave")
    new = make(tmp_path / "repo" / "build" / "test" / "src" / "cleave")
    os.utime(old, (1, 1))
    (tmp_path / "repo" / "include" / "cleave").mkdir(parents=True)
    (tmp_path / "repo" / "scripts").mkdir()
    (tmp_path / "repo" / "scripts" / "setup.sh").touch()
    monkeypatch.chdir(tmp_path / "repo" / "scripts")
    monkeypatch.setenv("CLEAVE", variable)
    monkeypatch.setenv("PATH", str(tmp_path / "c"))
    monkeypatch.setattr("cleave.running.__file__", str(tmp_path / "a" / "running.py"))
    assert find_program(argument) == argument
    assert find_program() == variable
    monkeypatch.delenv("CLEAVE")
    in_wheel = make(tmp_path / "a" / "bin" / "cleave")
    assert find_program() == in_wheel
    os.remove(in_wheel)
    assert find_program() == in_path
    monkeypatch.setenv("PATH", "")
    assert find_program() == new
    monkeypatch.chdir(tmp_path / "a")
    with pytest.raises(cleave.ResultsError, match="no program `cleave`.*scripts/run --help"):
        find_program()
    with pytest.raises(cleave.ResultsError, match="gone: not a program, though the argument"):
        find_program(str(tmp_path / "gone"))

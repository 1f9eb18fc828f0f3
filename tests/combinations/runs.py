"""Runs of one case in several ways, which must all give the same files, and rules that hold for the results of any case."""

import csv
import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

# A file of results that may differ between runs of one case.
OF_A_RUN = ("summary.json", "case.resolved.yaml", "run.lock")

# What Open MPI needs as root, on fewer processors than ranks.
RANKS = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
         "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_base_warn_component_unused": "0"}


class Program:
    """The program cleave: where it is, and what it can do here."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.has_ranks = shutil.which("mpirun") is not None and "MPI not built in" not in self.says("info").stdout and subprocess.run(
            ["mpirun", "-n", "2", "--bind-to", "none", "true"], env=os.environ | RANKS, capture_output=True).returncode == 0
        self.instructions = [name for name in ("baseline", "avx2", "avx512") if self.says("info", CLEAVE_INSTRUCTIONS=name).returncode == 0]

    def says(self, *arguments, folder=None, **environment):
        """What a command says: returncode, stdout, stderr."""
        return subprocess.run([self.path, *map(str, arguments)], cwd=folder, env=os.environ | environment, capture_output=True, text=True)

    def run(self, case, name, *arguments, threads=1, ranks=1, instructions=None, stop_after=None, backend="cpu"):
        """Exit code of a run of the case file into the directory `name` beside it; name.log has what it says."""
        launcher = ["mpirun", "-n", str(ranks), "--bind-to", "none"] if ranks > 1 else []
        command = [*launcher, self.path, "run", case.name, "--quiet", "--output", name, "--backend", backend,
                   "--threads", str(threads), *map(str, arguments)]
        environment = os.environ | RANKS | ({"CLEAVE_INSTRUCTIONS": instructions} if instructions else {})
        with open(case.parent / f"{name}.log", "a") as log, tempfile.TemporaryDirectory() as own:
            environment["OMPI_MCA_orte_tmpdir_base"] = own  # two mpirun that make one folder at the same time may fail
            process = subprocess.Popen(command, cwd=case.parent, env=environment, stdout=log, stderr=log)
            if stop_after is not None:
                try:
                    process.wait(stop_after)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGTERM)
            try:
                return process.wait(600)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                return "no end after 600 s"


def write_case(folder, case, files=None):
    """The case file in an empty folder, beside other files by name; JSON is YAML as well."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in (files or {}).items():
        (folder / name).write_text(text)
    (folder / "case.json").write_text(json.dumps(case, indent=1))
    return folder / "case.json"


def rows(file):
    """Rows of a CSV file as dictionaries of numbers; texts stay, empty cells are left out."""
    def number(text):
        try:
            return float(text)
        except ValueError:
            return text
    with open(file, newline="") as lines:
        return [{key: number(value) for key, value in row.items() if value} for row in csv.DictReader(lines)]


def broken_rule(folder, single):
    """The rule for any case that these results break, or nothing."""
    for file in sorted(folder.glob("*.csv")):
        for row in rows(file):
            if wrong := [key for key, value in row.items() if isinstance(value, float) and not math.isfinite(value)]:
                return f"{wrong[0]} in {file.name} is {row[wrong[0]]}"
    history = rows(folder / "history.csv")
    largest = max(abs(row[key]) for row in history for key in row if key.endswith("_energy") or key.endswith("_work"))
    if (error := max(abs(row["balance_error"]) for row in history)) > (1e-4 if single else 1e-12):
        return f"balance error {error:.2e}"
    for before, row in zip(history, history[1:]):
        if row["cohesive_elements"] < before["cohesive_elements"]:
            return f"cohesive elements vanish at step {row['step']:.0f}"
        fall = before["dissipated_energy"] - row["dissipated_energy"]
        if fall > (1e-5 if single else 1e-9) * max(largest, 1e-300):
            return f"dissipated energy falls by {fall / largest:.1e} of the largest energy at step {row['step']:.0f}"
    masses = {}
    for row in rows(folder / "fragments.csv"):
        masses[row["step"]] = masses.get(row["step"], 0) + row["mass"]
    most, least = max(masses.values()), min(masses.values())
    if most - least > (1e-6 if single else 1e-12) * most:
        return "the mass of all fragments changes"
    return None


def differing(one, other, resumed=False):
    """Names of results that are not the same bytes in both directories, or are in one of them only.

    resumed: HDF5 lays out a file that was opened again in another way: its numbers count, as far as there is h5diff."""
    def content(folder):
        return {file.name: file.read_bytes() for file in folder.iterdir()
                if file.name not in OF_A_RUN and not file.name.startswith("checkpoint_")}

    def same_numbers(name):
        return resumed and name.endswith(".vtkhdf") and (not shutil.which("h5diff") or subprocess.run(
            ["h5diff", one / name, other / name], capture_output=True).returncode == 0)

    here, there = content(one), content(other)
    return sorted(name for name in here.keys() | there.keys() if here.get(name) != there.get(name) and not same_numbers(name))


def error_in(log):
    """The report of the program among what mpirun says."""
    text = log.read_text()
    return text[text.find("cleave: "):].split("\n----")[0].strip() or text.strip()


def goes_on_ranks(case):
    """Whether the program takes this case on several ranks."""
    in_cracks = any(entry.get("in_cracks") for entry in case.get("boundary", []))
    material = case["material"] if isinstance(case["material"], dict) else case["material"][0]
    thickness_changes = material.get("law") == "st_venant_kirchhoff" and material.get("plane") == "stress"
    return case["run"]["assembly"] == "gather" and not (in_cracks and thickness_changes)


def run_once(program, case, name, options):
    """Exit code of a run with these options of Program.run."""
    return program.run(case, name, **options)


def stopped_by_signal(program, case, name, options):
    """Exit code of a run that a signal stops after `stop_after` seconds and that is then resumed."""
    goes_on = {key: value for key, value in options.items() if key != "stop_after"}
    code = program.run(case, name, **options)
    if code == -signal.SIGTERM:  # before it was ready for signals: nothing is there yet
        return program.run(case, name, **goes_on)
    return program.run(case, name, "--resume", **goes_on) if code == 143 else code


def in_segments(program, case, name, segments):
    """Exit code of a run that stops at steps and is resumed: segments (step or None for the end, options of Program.run)."""
    for number, (step, options) in enumerate(segments):
        part, arguments = case, ["--resume"] if number else []
        if step is not None:  # the case file of this segment ends there
            text = json.loads(case.read_text())
            text["time"] = {key: value for key, value in text["time"].items() if key != "end"} | {"steps": step}
            part = case.parent / "part.json"
            part.write_text(json.dumps(text))
            arguments += ["--set", f"output.checkpoint_every={step}"]
        if code := program.run(part, name, *arguments, **options):
            return code
    return 0


def different_way(program, case, against, rng, draw_signal=None, numbers_of_ranks=()):
    """The first way in which the case, whose results are in the directory `one`, runs otherwise, or nothing.

    against: of `again`, `threads`, `instructions`, `ranks`, `cuda`, each a run of its own; `stopped`: at a step, resumed on
    other threads or ranks; `signal`: at a moment, draw_signal() seconds after its start.
    numbers_of_ranks: `ranks` is a run on each of these instead of on two or three; `stopped` is on three, two and five in turn."""
    folder = case.parent
    summary = json.loads((folder / "one" / "summary.json").read_text())
    steps, blocks = summary["steps"], -(-summary["elements"] // 128)  # a rank has at least one
    on_ranks = program.has_ranks and goes_on_ranks(json.loads(case.read_text()))
    several = {"threads": rng.randint(2, 5)}
    far = {"backend": "cuda"} if "cuda" in against else several
    ranks = {"ranks": rng.randint(2, 3)} if on_ranks and "ranks" in against else several
    on_numbers = [{"ranks": min(number, blocks)} for number in numbers_of_ranks] if on_ranks else []
    runs_of = {"again": [{}], "threads": [several], "instructions": [{"instructions": program.instructions[0]}],
               "ranks": on_numbers or [ranks], "cuda": [far]}
    for way in against:
        if way == "stopped" and steps > 2 and on_numbers:
            places = [{"ranks": min(number, blocks)} for number in (3, 2, 5)]
            stops = sorted(rng.sample(range(1, steps), 2))
            tries = [(in_segments, list(zip([*stops, None], places)))]
        elif way == "stopped" and steps > 1:
            tries = [(in_segments, list(zip([rng.randint(1, steps - 1), None], rng.sample([ranks, {}], 2))))]
        elif way == "signal":
            tries = [(stopped_by_signal, far | {"stop_after": draw_signal()})]
        else:
            tries = [(run_once, options) for options in runs_of.get(way, [])]
        for run, how in tries:
            shutil.rmtree(folder / way, ignore_errors=True)
            if code := run(program, case, way, how):
                return f"{way}, {how}, ends with {code}: {error_in(folder / f'{way}.log')}"
            if files := differing(folder / "one", folder / way, way in ("stopped", "signal")):
                return f"{way}, {how}, differs in {', '.join(files)}"
    return None

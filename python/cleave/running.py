"""Starts the program and waits for it."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

import yaml

from .errors import ResultsError
from .results import Results
from .study import Study

_SOME_FAILED = 3  # exit code of a study


class RunError(RuntimeError):
    """A run that ended with another exit code than 0. The text is the program's own report.

    exit_code: see docs/user_guide.md; -N if signal N ended the program.
    """

    def __init__(self, report, exit_code):
        super().__init__(report or f"the program ended with exit code {exit_code} and without a message")
        self.report, self.exit_code = report, exit_code


def find_program(program=None):
    """Path of the program: the argument, $CLEAVE, that of the wheel, `cleave` in the PATH, or the newest build in the repository."""
    for source, name in (("the argument `program`", program), ("$CLEAVE", os.environ.get("CLEAVE"))):
        if name:
            found = shutil.which(name)
            if not found:
                raise ResultsError(f"{name}: not a program, though {source} names it; give the path of `cleave`")
            return found
    found = shutil.which(str(pathlib.Path(__file__).with_name("bin") / "cleave")) or shutil.which("cleave")
    if found:
        return found
    built = [path for root in _repositories() for path in root.glob("build/*/src/cleave") if os.access(path, os.X_OK)]
    if not built:
        raise ResultsError("no program `cleave` in $CLEAVE, in the PATH or in a build folder; "
                           "build it with `scripts/run --help` in the repository, or give its path as `program`")
    return str(max(built, key=lambda path: path.stat().st_mtime))


def _repositories():
    """Folders with the sources of Cleave, at or above the working directory and this file."""
    starts = (pathlib.Path.cwd() / "here", pathlib.Path(__file__).resolve())
    return [folder for start in starts for folder in start.parents if (folder / "scripts" / "setup.sh").exists()
            and (folder / "include" / "cleave").is_dir()]


def _text_of(key, value):
    """A value of `set` as text of a case file."""
    if isinstance(value, str) and _is_yaml(value):
        return value
    try:
        return json.dumps(value, default=_plain, ensure_ascii=False)  # YAML would read a surrogate pair of \u as two letters
    except TypeError as error:
        raise ResultsError(f"`set`, {key}: no value of a case ({error}); give numbers, texts, lists or dicts") from None


def _is_yaml(text):
    """Whether the whole text is one YAML value: a number, a word, or a value in brackets or quotes."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return False
    if node is None:
        return False
    if isinstance(node, yaml.ScalarNode) and node.style is None:
        return node.value == text  # otherwise a comment, a tag or spaces would be lost
    closed = node.style in ("'", '"') if isinstance(node, yaml.ScalarNode) else node.flow_style
    return closed and text[node.start_mark.index:node.end_mark.index] == text.strip()


def _plain(value):
    """A path as text, an array or number of numpy as a Python value."""
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a {type(value).__name__}")


def _directory_of(output, values):
    """The directory of the results given by `output` or `set`, or None."""
    if output is not None:
        return output
    directory = None
    for key, value in values.items():
        if key not in ("output", "output.directory") or value is None:
            continue
        given = yaml.load(_text_of(key, value), Loader=yaml.BaseLoader)  # BaseLoader keeps 007 as a text
        if key == "output":
            given = given.get("directory") if isinstance(given, dict) else None
        directory = given
    return directory


def _check_place(directory, options):
    """Raises ResultsError if the directory of the results would be unknown after the run: a quiet program does not print it."""
    if directory is None and "--quiet" in map(str, options):
        raise ResultsError("with `--quiet` the program does not print the directory of its results; leave `--quiet` out or give "
                           "`output`")


def run(case, set=None, output=None, program=None, follow=None, options=()):
    """Runs a case and returns its Results.

    case:    path of the case file
    set:     values to replace, by key: {"mesh.divisions": [20, 160], "time.end": 50e-6}; also numpy values and paths.
             A text that is a number, a word, or a value in brackets or quotes is read as YAML; others stay texts
    output:  directory of the results, instead of that of the case
    program: path of `cleave`; default: $CLEAVE, the wheel's, the PATH, the repository's build folders
    follow:  called with each line that the program prints while it runs, such as `print`
    options: further options of `cleave run`, such as ["--threads", "2", "--force"]

    Raises RunError if the run fails, and ResultsError without a program. An interrupt of Python waits until the program
    has saved its checkpoint.
    """
    values = set or {}
    directory = _directory_of(output, values)
    _check_place(directory, options)
    command = [find_program(program), "run", os.fspath(case), *map(str, options)]
    for key, value in values.items():
        command += ["--set", f"{key}={_text_of(key, value)}"]
    if output is not None:
        command += ["--output", os.fspath(output)]
    code, said, lines = _carry_out(command, follow)
    if code:
        raise RunError(_report(said), code)
    written = _results_named(lines) or directory
    if written is None:
        raise ResultsError("the program did not say where its results are; give `output`")
    return Results(written)


def sweep(study, output=None, program=None, follow=None, options=()):
    """Runs a study and returns its Study; finished runs are not repeated.

    study:   path of the study file
    output:  directory of the study, instead of that of the file
    options: further options of `cleave sweep`, such as ["--jobs", "2"]; other arguments as in `run`

    A failed run is a row of the table with another status than done. Raises RunError if the study is invalid or was stopped.
    """
    _check_place(output, options)
    command = [find_program(program), "sweep", os.fspath(study), *map(str, options)]
    if output is not None:
        command += ["--output", os.fspath(output)]
    code, said, lines = _carry_out(command, follow)
    if code not in (0, _SOME_FAILED):
        raise RunError(_report(said), code)
    written = _results_named(lines)
    if output is None and written is None:
        raise ResultsError("the program did not say where its results are; give `output`")
    return Study(output if output is not None else pathlib.Path(written).parent)


def _results_named(lines):
    """The directory of the results from the program's summary, or None."""
    return next((line.split(None, 1)[1] for line in lines if line.startswith("  results  ")), None)


def _carry_out(command, follow):
    """Runs the program. Returns its exit code, the lines of its log and those of its summary."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as summary:
        process = subprocess.Popen(command, stdout=summary, stderr=subprocess.PIPE, text=True, encoding="utf-8",
                                   errors="replace", start_new_session=True)  # Ctrl-C reaches the program through _stop only
        said = _follow(process, follow)
        summary.seek(0)
        lines = summary.read().splitlines()
    for line in lines if follow and not process.returncode else []:
        follow(line)
    return process.returncode, said, lines


def _follow(process, follow):
    """Waits for the end of the program. Returns the lines of its log."""
    said = []
    try:
        for line in process.stderr:
            said.append(line.rstrip("\n"))
            if follow:
                follow(said[-1])
        process.wait()
    except BaseException:
        _stop(process)
        raise
    finally:
        if process.returncode is not None:  # after a second interrupt the program may still save; closing the pipe would end it
            process.stderr.close()
    return said


def _report(said):
    """The report in the log of a failed run: the lines that begin with the program's name."""
    first = next((i for i, line in enumerate(said) if line.startswith("cleave: ")), 0)
    return "\n".join(said[first:])


def _stop(process):
    """Makes the program save a checkpoint and end, as Ctrl-C does, and waits for it."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        for _ in process.stderr:
            pass
        process.wait()

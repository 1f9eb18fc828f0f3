"""Plots, movies, tables and reports of results from the command line."""
import argparse
import pathlib
import sys

from . import plot
from .benchmarks import draw_benchmarks
from .convert_mesh import convert_mesh
from .errors import ResultsError
from .movie import write_movie
from .parallel import processors
from .progress import Progress
from .report import write_report
from .results import Results
from .study import Study, is_study
from .study_report import write_study_report
from .text_file import read_table
from .verification import draw_verification

_CASES = pathlib.Path(__file__).with_name("cases")


def save(figure, path, resolution=150):
    """Writes a figure; the extension (.png, .pdf, .svg) gives the format. Raises ResultsError if that fails."""
    path = pathlib.Path(path)
    path = path if path.suffix else path.with_name(f"{path.name}.png")
    try:
        figure.savefig(path, dpi=resolution)
    except ValueError:
        endings = ", ".join(f".{ending}" for ending in sorted(figure.canvas.get_supported_filetypes()))
        raise ResultsError(f"{path}: unknown picture format; end the name in one of {endings}") from None
    except OSError as error:
        raise ResultsError(f"{path}: cannot be written ({error.strerror}); give another name with -o") from None
    return path


def _plot_fields(results, arguments):
    return plot.fields(results, arguments.field, arguments.frame, arguments.warp, arguments.limits, arguments.series)


def _plot_columns(results, arguments):
    table = {"history": lambda: results.history, "probes": lambda: results.probes, "cracks": lambda: results.cracks,
             "fragment_statistics": lambda: results.fragment_statistics}[arguments.table]()
    return plot.columns(table, arguments.x, arguments.y)


_PLOTS = {
    # name: help, function of results and arguments, options
    "history": ("energies, cohesive elements, fragments over time", lambda r, a: plot.history(r), ()),
    "cracks": ("length, tips, branches and speed of cracks over time", lambda r, a: plot.cracks(r), ()),
    "fragments": ("fragments over time, and their distributions with fits",
                  lambda r, a: plot.fragments(r, a.frame), ("frame",)),
    "probes": ("motion and stress at the probes", lambda r, a: plot.probes(r, a.probe), ("probe",)),
    "lines": ("a value along a line, at some times", lambda r, a: plot.lines(r, a.value, a.line, a.times),
              ("value", "line", "times")),
    "pattern": ("cracks in the undeformed body, with tips and branches",
                lambda r, a: plot.pattern(r, a.frame), ("frame",)),
    "fields": ("the deformed body with its cracks, coloured",
               _plot_fields, ("frames", "field", "warp", "limits", "series")),
    "columns": ("one column of a table over another", _plot_columns, ("table", "x", "y")),
}
_OPTIONS = {
    "frame": (["--frame"], {"type": int, "default": -1, "help": "number of the frame, from 0; -1: the last one"}),
    "frames": (["--frame"], {"type": int, "nargs": "+", "default": [-1],
                             "help": "numbers of frames, from 0; -1: the last one"}),
    "field": (["--field"], {"nargs": "+", "default": ["stress"], "help":
                            "array of the frames, component (velocity_x), speed, energy, fragment; one per panel"}),
    "warp": (["--warp"], {"type": float, "default": 1.0, "help": "factor on displacements"}),
    "limits": (["--limits"], {"type": float, "nargs": 2, "metavar": ("LOW", "HIGH"),
                              "help": "range of the colours, in SI units"}),
    "series": (["--series"], {"action": "store_true",
                              "help": "scale the colours to all frames of the run instead of those drawn"}),
    "probe": (["--probe"], {"nargs": "+", "help": "names of probes; default all"}),
    "value": (["--value"], {"default": "syy", "help": "column of lines.csv; default syy"}),
    "line": (["--line"], {"help": "name of a line; default the first"}),
    "times": (["--times"], {"type": float, "nargs": "+", "help": "in s; default six over the run"}),
    "table": (["--table"], {"choices": ["history", "probes", "cracks", "fragment_statistics"], "default": "history",
                            "help": "default history"}),
    "x": (["--x"], {"default": "time", "help": "along x, as along y; default time"}),
    "y": (["--y"], {"required": True, "help": "column along y, or columns with + - * /: \"a.ux - b.ux\""}),
}


def _parser():
    parser = argparse.ArgumentParser(prog="cleave-py", description="Draws and reports results of Cleave.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_plots(commands.add_parser("plot", help=f"draws results: {', '.join([*_PLOTS, 'law'])}"))
    report = commands.add_parser("report", help="writes one page of HTML about a run or a study")
    report.add_argument("results", help="output directory of a run or a study")
    report.add_argument("-o", "--output", help="default RESULTS/report.html")
    movie = commands.add_parser("animate", help="writes a movie of a run, .gif or .mp4")
    movie.add_argument("results", help="output directory of a run")
    movie.add_argument("-o", "--output", help="movie to write (.gif, .mp4); default RESULTS/movie.gif")
    movie.add_argument("--field", help="array of the frames, component (velocity_x), speed, energy, fragment; default the stress")
    movie.add_argument("--warp", type=float, help="factor on displacements; default one at which they are visible")
    movie.add_argument("--rate", type=float, default=12, help="pictures a second; default 12")
    movie.add_argument("--frames", type=int, metavar="N", help="at most so many, spread over the run; default all")
    movie.add_argument("--resolution", type=int, default=100, help="dots per inch; default 100, some 650 pixels across")
    tables = commands.add_parser("tables", help="writes cracks.csv and fragment_statistics.csv into the directory")
    tables.add_argument("results", help="output directory of a run")
    benchmarks = commands.add_parser("benchmarks", help="draws results of `cleave bench --json`")
    benchmarks.add_argument("folder", help="where pictures go")
    benchmarks.add_argument("files", nargs="+", help="files of `cleave bench --json`, in any number and order")
    verification = commands.add_parser("verification", help="tables and plots of a run of scripts/verify")
    verification.add_argument("run", help="folder of the run")
    verification.add_argument("report", help="folder for tables and plots")
    convert = commands.add_parser("convert-mesh", help="converts a mesh that meshio reads to a .msh file")
    convert.add_argument("mesh", help="Abaqus .inp, Exodus, MED, or another format of meshio")
    convert.add_argument("-o", "--output", required=True, help="file to write, .msh")
    case = commands.add_parser("case", help="writes a case to begin with, such as the quick start")
    case.add_argument("name", nargs="?", default="quickstart", choices=sorted(path.stem for path in _CASES.glob("*.yaml")),
                      help="default quickstart; others: %(choices)s")
    case.add_argument("-o", "--output", help="file to write; default NAME.yaml")
    return parser


def _write_case(name, output):
    """Writes a case of configs/. Raises ResultsError if the file exists."""
    path = pathlib.Path(output or f"{name}.yaml")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write((_CASES / f"{name}.yaml").read_text(encoding="utf-8"))
    except FileExistsError:
        raise ResultsError(f"{path}: exists already; give another name with -o") from None
    return path


def _add_plots(parser):
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    for name, (text, _, options) in _PLOTS.items():
        kind = kinds.add_parser(name, help=text, description=f"Draws {text}.")
        kind.add_argument("results", help="output directory of a run")
        kind.add_argument("-o", "--output", help=f"picture to write (.png, .pdf, .svg); default RESULTS/{name}.png")
        for option in options:
            flags, settings = _OPTIONS[option]
            kind.add_argument(*flags, **settings)
    law = kinds.add_parser("law", help="a law along a path", description="Draws what `cleave point` has written.")
    law.add_argument("table", help="file of `cleave point`, .csv")
    law.add_argument("-o", "--output", help="picture to write (.png, .pdf, .svg); default TABLE.png")


def _draw_law(table, output):
    table = pathlib.Path(table)
    return save(plot.law(read_table(table, "give a file of `cleave point`")), output or table.with_suffix(".png"))


def _do(arguments):
    """Executes the command. Returns the files written."""
    if arguments.command == "benchmarks":
        return draw_benchmarks(arguments.folder, arguments.files)
    if arguments.command == "verification":
        return draw_verification(arguments.run, arguments.report)
    if arguments.command == "convert-mesh":
        return [convert_mesh(arguments.mesh, arguments.output)]
    if arguments.command == "case":
        return [_write_case(arguments.name, arguments.output)]
    if arguments.command == "plot" and arguments.kind == "law":
        return [_draw_law(arguments.table, arguments.output)]
    if arguments.command == "report" and is_study(arguments.results):
        return [write_study_report(Study(arguments.results), arguments.output)]
    results = Results(arguments.results)
    if arguments.command == "report":
        with Progress() as progress:
            return [write_report(results, arguments.output, progress, workers=processors())]
    if arguments.command == "animate":
        with Progress() as progress:
            return [write_movie(results, arguments.output, arguments.field, arguments.warp, arguments.rate, arguments.frames,
                                arguments.resolution, progress, workers=processors())]
    if arguments.command == "tables":
        return results.write_tables()
    figure = _PLOTS[arguments.kind][1](results, arguments)
    return [save(figure, arguments.output or results.directory / f"{arguments.kind}.png")]


def parse(arguments):
    """The arguments of a command, by name."""
    return _parser().parse_args(arguments)


def main(arguments=None):
    """The command line; invalid input ends the process with exit code 2 and one line."""
    try:
        for path in _do(parse(arguments)):
            print(f"written to {path}")
    except (ResultsError, OSError) as error:
        print(f"cleave-py: {error}", file=sys.stderr)
        raise SystemExit(2) from None

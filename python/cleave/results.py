"""A directory of results: tables as pandas, frames as numpy arrays, the summary and the case as dicts."""
import functools
import html
import pathlib

from .cracks import crack_table, failed_cracks, intact_boundary, speed_table
from .errors import ResultsError
from .fragments import fragment_table
from .frames import open_series
from .headline import headline
from .page import rows
from .text_file import read_json, read_table, read_yaml

_AGAIN = "run the case again"
_HISTORY = ("step", "time", "kinetic_energy", "strain_energy", "internal_work", "cohesive_work", "recoverable_energy",
            "dissipated_energy", "external_work", "reaction_work", "balance_error", "nodes", "cohesive_elements",
            "failed_elements", "crack_length", "fragments")
_FRAGMENTS = ("step", "time", "fragment", "area", "mass", "velocity_x", "velocity_y")
_NUMBER = (int, float)
_SUMMARY = {"title": str, "status": str, "version": str, "reason": str, "warnings": list, "elements": int,
            "initial_nodes": int, "nodes": int, "facets": int, "device": str, "precision": str, "assembly": str,
            "wall_time": _NUMBER, "output_time": _NUMBER, "element_steps_per_second": _NUMBER, "step": _NUMBER,
            "peak_memory_bytes": _NUMBER, "peak_solver_bytes": _NUMBER, "stages": list}
_CASE = {"title": str, "mesh": dict, "material": (dict, list), "time": dict, "output": dict, "run": dict}


class Results:
    """The files that a run wrote into a directory; each is read on access.

    Results of a run in progress can be read; an incomplete last row is left out. Create a new object to see later
    results. Raises ResultsError if the directory or a file is missing or damaged.
    """

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        if not self.directory.is_dir():
            raise ResultsError(f"{self.directory}: no such directory; give the output directory of a run")
        if not (self.directory / "history.csv").exists():
            raise ResultsError(f"{self.directory}: has no history.csv, so no run has written here; give the "
                               "output directory of a run (`output.directory` of its case)")

    def __repr__(self):
        return f"Results('{self.directory}')"

    def _repr_html_(self):
        """What notebooks show: the title, the status and the numbers that a reader asks for first."""
        try:
            title, shown = self.summary.get("title", self.directory.name), [("status", self.summary["status"]), *headline(self)]
        except ResultsError as error:  # a run that has just begun has no summary
            title, shown = self.directory.name, [("not complete", error)]
        return f"<b>{html.escape(str(title))}</b>{rows(shown)}"

    def _path(self, name, hint):
        path = self.directory / name
        if not path.exists():
            raise ResultsError(f"{path}: no such file; {hint}")
        return path

    def _table(self, name, hint, columns, texts=()):
        path = self._path(name, hint)
        table = read_table(path, _AGAIN, columns, texts)
        if table.empty:
            raise ResultsError(f"{path}: no rows yet; wait until the run has written some")
        return table

    @functools.cached_property
    def history(self):
        """history.csv: energies, counts and reactions by step."""
        return self._table("history.csv", "give the output directory of a run", _HISTORY)

    @functools.cached_property
    def fragments(self):
        """fragments.csv: a row for each fragment of each frame."""
        return self._table("fragments.csv", _AGAIN, _FRAGMENTS)

    @functools.cached_property
    def probes(self):
        """probes.csv: motion and stress at points; empty cells of probes that were not due are NaN."""
        return self._table("probes.csv", "a case writes it when it has `output.probes`", ("step", "time"))

    @functools.cached_property
    def lines(self):
        """lines.csv: motion and stress at the points of lines, a row for each point and sample."""
        return self._table("lines.csv", "a case writes it when it has `output.lines`", ("step", "time", "line", "s"),
                           texts=("line",))

    @functools.cached_property
    def summary(self):
        """summary.json as a dict."""
        return read_json(self._path("summary.json", _AGAIN), _SUMMARY, _AGAIN)

    @functools.cached_property
    def case(self):
        """case.resolved.yaml as a dict: the case with every default."""
        return read_yaml(self._path("case.resolved.yaml", _AGAIN), _CASE, _AGAIN)

    @functools.cached_property
    def frames(self):
        """The body, frame by frame: a sequence of Frame, read one at a time."""
        return open_series(self.directory, "bulk")

    @functools.cached_property
    def crack_frames(self):
        """The cohesive elements, frame by frame: a sequence of Frame."""
        return open_series(self.directory, "cracks")

    @functools.cached_property
    def obstacle_frames(self):
        """The obstacles, frame by frame: a sequence of Frame; None if there are none."""
        return open_series(self.directory, "obstacles") if (self.directory / "obstacles.pvd").exists() else None

    @functools.cached_property
    def boundary(self):
        """Nodes [facet, 2] of the first frame on the boundary of the intact body, notches included."""
        return intact_boundary(self)

    @functools.cached_property
    def cracks(self):
        """Length, tips, branches and speed of cracks by frame; see cracks.py for the columns."""
        return crack_table(self)

    @functools.cached_property
    def tip_speeds(self):
        """Growth rate of the cracks and speeds of their tips over the run, whatever its frames; columns as in `cracks`."""
        return speed_table(self)

    @functools.cached_property
    def failed_length(self):
        """Length of the cohesive elements that have failed in the last frame, m."""
        return float(failed_cracks(self.crack_frames[-1]).lengths.sum())

    @functools.cached_property
    def fragment_statistics(self):
        """Size, mass and speed of fragments with fitted distributions by frame; see fragments.py for the columns."""
        return fragment_table(self.fragments)

    def write_tables(self):
        """Writes the derived tables cracks.csv and fragment_statistics.csv into the directory. Returns the paths."""
        paths = []
        for name, table in (("cracks", self.cracks), ("fragment_statistics", self.fragment_statistics)):
            path = self.directory / f"{name}.csv"
            try:
                table.to_csv(path, index=False)
            except OSError as error:
                raise ResultsError(f"{path}: cannot be written ({error.strerror}); check the permissions") from None
            paths.append(path)
        return paths

"""A directory of results: tables as pandas, frames as numpy arrays, the summary and the case as they are."""
import functools
import io
import json
import pathlib

import pandas
import yaml

from .cracks import crack_table
from .errors import ResultsError
from .fragments import fragment_table
from .frames import open_series

# Numbers are read to the last bit; from pandas 3.1 on they always are.
EXACT = {} if tuple(map(int, pandas.__version__.split(".")[:2])) >= (3, 1) else {"float_precision": "round_trip"}


class Results:
    """What a run wrote into a directory; files are read when they are asked for.

    A run that still goes on can be read: a row that is not complete yet is left out. A new object sees what has come
    since. Raises ResultsError when the directory or a file is missing or damaged.
    """

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        if not self.directory.is_dir():
            raise ResultsError(f"{self.directory}: no such directory; give the output directory of a run")
        if not (self.directory / "history.csv").exists():
            raise ResultsError(f"{self.directory}: there is no history.csv, so no run has written here; give the "
                               "output directory of a run (`output.directory` of its case)")

    def __repr__(self):
        return f"Results('{self.directory}')"

    def _path(self, name, hint):
        path = self.directory / name
        if not path.exists():
            raise ResultsError(f"{path}: no such file; {hint}")
        return path

    def _table(self, name, hint):
        path = self._path(name, hint)
        text = path.read_text(encoding="utf-8")
        complete = text[: text.rfind("\n") + 1]  # a run that goes on, or was killed, may have begun a row
        try:
            table = pandas.read_csv(io.StringIO(complete), **EXACT)
        except (pandas.errors.ParserError, pandas.errors.EmptyDataError) as error:
            raise ResultsError(f"{path}: not a table of Cleave ({error}); run the case again") from None
        if table.empty:
            raise ResultsError(f"{path}: no rows yet; wait until the run has written some")
        return table

    @functools.cached_property
    def history(self):
        """history.csv: energies, counts, reactions by step."""
        return self._table("history.csv", "give the output directory of a run")

    @functools.cached_property
    def fragments(self):
        """fragments.csv: a row for each fragment of each frame."""
        return self._table("fragments.csv", "run the case again")

    @functools.cached_property
    def probes(self):
        """probes.csv: motion and stress at points; empty cells of probes that were not due are NaN."""
        return self._table("probes.csv", "a case writes it when it has `output.probes`")

    @functools.cached_property
    def lines(self):
        """lines.csv: motion and stress at the points of lines, a row for each point and sample."""
        return self._table("lines.csv", "a case writes it when it has `output.lines`")

    @functools.cached_property
    def summary(self):
        """summary.json as a dict."""
        path = self._path("summary.json", "run the case again")
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except json.JSONDecodeError as error:
            raise ResultsError(f"{path}:{error.lineno}: not JSON ({error.msg}); run the case again") from None

    @functools.cached_property
    def case(self):
        """case.resolved.yaml as a dict: the case with every default."""
        path = self._path("case.resolved.yaml", "run the case again")
        try:
            return yaml.safe_load(path.read_text(encoding="utf-8"))
        except yaml.YAMLError as error:
            raise ResultsError(f"{path}: not YAML ({error}); run the case again") from None

    @functools.cached_property
    def frames(self):
        """The body, frame by frame: a sequence of Frame, read one at a time."""
        return open_series(self.directory, "bulk")

    @functools.cached_property
    def crack_frames(self):
        """The cohesive elements, frame by frame: a sequence of Frame."""
        return open_series(self.directory, "cracks")

    @functools.cached_property
    def cracks(self):
        """Length, tips, branches and speed of cracks by frame; see cracks.py for the columns."""
        return crack_table(self)

    @functools.cached_property
    def fragment_statistics(self):
        """Size, mass and speed of fragments with fitted distributions by frame; see fragments.py for the columns."""
        return fragment_table(self.fragments)

    def write_tables(self):
        """Writes what is derived, cracks.csv and fragment_statistics.csv, into the directory. Returns the paths."""
        paths = []
        for name, table in (("cracks", self.cracks), ("fragment_statistics", self.fragment_statistics)):
            path = self.directory / f"{name}.csv"
            try:
                table.to_csv(path, index=False)
            except OSError as error:
                raise ResultsError(f"{path}: cannot be written ({error.strerror}); check the permissions") from None
            paths.append(path)
        return paths

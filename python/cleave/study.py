"""A directory of `cleave sweep`: the table of its runs and the results of each."""
import csv
import functools
import html
import math
import pathlib

from .errors import ResultsError
from .results import Results
from .text_file import read_table, read_text, read_yaml

_AGAIN = "start `cleave sweep` again"
_NUMBERS = ("steps", "wall_time", "cohesive_elements", "crack_length", "fragments", "dissipated_energy",
            "largest_balance_error")


def is_study(directory):
    """Whether `cleave sweep` has written into the directory."""
    return (pathlib.Path(directory) / "study.csv").exists()


class Study:
    """The files that `cleave sweep` wrote into a directory; each is read on access.

    Raises ResultsError if the directory or a file is missing or damaged.
    """

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        if not is_study(self.directory):
            raise ResultsError(f"{self.directory}: has no study.csv; give the output directory of a study "
                               "(`output.directory` of its file)")

    def __repr__(self):
        return f"Study('{self.directory}')"

    def _repr_html_(self):
        """What notebooks show: the title and the table of runs."""
        return f"<b>{html.escape(str(self.description['title']))}</b>{self.table._repr_html_()}"

    @functools.cached_property
    def failed_lengths(self):
        """Length of the cohesive elements that have failed in the last frame of each run, m, by the index of `table`; NaN where
        there are no frames that tell it."""
        return self.table["run"].map(self._failed_length).astype(float)

    def _failed_length(self, run):
        try:
            return self.results(run).failed_length
        except ResultsError:
            return math.nan

    @functools.cached_property
    def table(self):
        """study.csv: a row for each run; cells of runs that have not ended are NaN. Values of keys are texts of the study."""
        texts = ["run", "status", *self.keys]  # lists and numbers such as 2.0e8 keep their text
        table = read_table(self._file, _AGAIN, (*texts, *_NUMBERS), texts, dtype=dict.fromkeys(texts, str),
                           keep_default_na=False, na_values={column: [""] for column in self._numbers})
        if table.empty:
            raise ResultsError(f"{self._file}: there are no runs; {_AGAIN}")
        return table

    @property
    def _file(self):
        return self.directory / "study.csv"

    @property
    def _numbers(self):
        header = next(csv.reader(read_text(self._file, _AGAIN).splitlines()), [])
        return [name for name in header if name not in ("run", "status", *self.keys)]

    @functools.cached_property
    def description(self):
        """study.resolved.yaml as a dict: title, case, values of each varied key."""
        return read_yaml(self.directory / "study.resolved.yaml", {"title": str, "case": str, "vary": dict}, _AGAIN)

    @property
    def keys(self):
        """The varied keys."""
        return list(self.description["vary"])

    @property
    def done(self):
        """The rows of runs that are done."""
        return self.table[self.table["status"] == "done"]

    def results(self, run):
        """The results of a run, by its name."""
        return Results(self.directory / run)

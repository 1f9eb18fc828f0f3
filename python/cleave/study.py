"""A directory of `cleave sweep`: the table of its runs and the results of each."""
import functools
import io
import pathlib

import pandas
import yaml

from .errors import ResultsError
from .results import EXACT, Results


def is_study(directory):
    """Whether `cleave sweep` has written there."""
    return (pathlib.Path(directory) / "study.csv").exists()


class Study:
    """What `cleave sweep` wrote into a directory; files are read when they are asked for.

    Raises ResultsError when the directory or a file is missing or damaged.
    """

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        if not is_study(self.directory):
            raise ResultsError(f"{self.directory}: there is no study.csv; give the output directory of a study "
                               "(`output.directory` of its file)")

    def __repr__(self):
        return f"Study('{self.directory}')"

    @functools.cached_property
    def table(self):
        """study.csv: a row for each run; cells of runs that have not ended are NaN. Values are as the study has them."""
        path = self.directory / "study.csv"
        values = {key: str for key in self.keys}  # a list stays a text, and 2.0e8 stays as it is written
        try:
            return pandas.read_csv(io.StringIO(path.read_text(encoding="utf-8")), dtype=values, keep_default_na=False,
                                   na_values={column: [""] for column in self._columns}, **EXACT)
        except (pandas.errors.ParserError, pandas.errors.EmptyDataError, ValueError) as error:
            raise ResultsError(f"{path}: not a table of a study ({error}); start `cleave sweep` again") from None

    @property
    def _columns(self):
        with open(self.directory / "study.csv", encoding="utf-8") as file:
            return [name for name in file.readline().strip().split(",") if name not in self.keys]

    @functools.cached_property
    def description(self):
        """study.resolved.yaml as a dict: title, case, values of each key that varies."""
        path = self.directory / "study.resolved.yaml"
        try:
            return yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, yaml.YAMLError) as error:
            raise ResultsError(f"{path}: cannot be read ({error}); start `cleave sweep` again") from None

    @property
    def keys(self):
        """The keys that vary."""
        return list(self.description["vary"])

    @property
    def done(self):
        """The rows of runs that are done."""
        return self.table[self.table["status"] == "done"]

    def results(self, run):
        """The results of a run, by its name."""
        return Results(self.directory / run)

"""Readers of texts and tables in a directory of results; errors name the file."""
import io
import json

import pandas
import yaml

from .errors import ResultsError

# Numbers are read exactly; pandas 3.1 and later always do so.
EXACT = {} if tuple(map(int, pandas.__version__.split(".")[:2])) >= (3, 1) else {"float_precision": "round_trip"}


def read_text(path, hint):
    """The text of a UTF-8 file. Raises ResultsError that ends with the hint."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ResultsError(f"{path}: cannot be read ({error.strerror}); {hint}") from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ResultsError(f"{path}:{line}: not text in UTF-8; {hint}") from None


class _Keys(dict):
    """A map of a file; a missing key raises ResultsError about the file."""

    def __init__(self, items, path, hint):
        super().__init__(items)
        self._path, self._hint = path, hint

    def __missing__(self, key):
        raise ResultsError(f"{self._path}: the key '{key}' is missing; {self._hint}")


for _representer in (yaml.representer.Representer, yaml.representer.SafeRepresenter):  # allows users to dump a case
    _representer.add_representer(_Keys, _representer.represent_dict)
for _dumper in (yaml.Dumper, yaml.SafeDumper):  # these have copies of the tables
    _dumper.add_representer(_Keys, _dumper.represent_dict)


def _checked(value, path, hint):
    if isinstance(value, dict):
        return _Keys({key: _checked(item, path, hint) for key, item in value.items()}, path, hint)
    return [_checked(item, path, hint) for item in value] if isinstance(value, list) else value


def _keys(value, path, types, hint):
    """The map in a file; values of the keys in `types` must have these types."""
    if not isinstance(value, dict):
        raise ResultsError(f"{path}: expected keys with values, found {_name_of(value)}; {hint}")
    for key, kind in types.items():
        if key in value and (not isinstance(value[key], kind) or isinstance(value[key], bool)):
            raise ResultsError(f"{path}: {key} is {_name_of(value[key])}, which is invalid; {hint}")
    return _checked(value, path, hint)


def _name_of(value):
    names = {dict: "a map", list: "a list", str: "a text", type(None): "nothing", bool: "true or false"}
    return names.get(type(value), "a number")


def read_json(path, types, hint):
    """A JSON map. `types` by key; a value of another type, or a missing key on access, raises ResultsError."""
    try:
        return _keys(json.loads(read_text(path, hint)), path, types, hint)
    except json.JSONDecodeError as error:
        raise ResultsError(f"{path}:{error.lineno}: not JSON ({error.msg}); {hint}") from None
    except RecursionError:
        raise ResultsError(f"{path}: not JSON (nested too deep); {hint}") from None


def read_yaml(path, types, hint):
    """The same for YAML."""
    try:
        return _keys(yaml.safe_load(read_text(path, hint)), path, types, hint)
    except (yaml.YAMLError, ValueError) as error:  # invalid dates are a ValueError
        raise error if isinstance(error, ResultsError) else ResultsError(f"{path}: not YAML ({error}); {hint}") from None
    except RecursionError:
        raise ResultsError(f"{path}: not YAML (nested too deep); {hint}") from None


def read_table(path, hint, columns=(), texts=(), **options):
    """A CSV file of the program, without an incomplete last row: the run may be in progress or was killed.

    columns: required columns
    texts:   columns of text; all others hold numbers
    """
    text = read_text(path, hint)
    try:
        table = pandas.read_csv(io.StringIO(text[: text.rfind("\n") + 1]), **options, **EXACT)
    except (pandas.errors.ParserError, pandas.errors.EmptyDataError, ValueError) as error:
        raise ResultsError(f"{path}: not a table of Cleave ({error}); {hint}") from None
    if table.empty:
        return table
    for column in columns:
        if column not in table.columns:
            raise ResultsError(f"{path}: the column '{column}' is missing; {hint}")
    for column in table.columns:
        if column not in texts and not pandas.api.types.is_numeric_dtype(table[column]):
            raise ResultsError(f"{path}: the column '{column}' has a value that is no number; {hint}")
    return table

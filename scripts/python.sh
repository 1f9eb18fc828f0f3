# Sourced by the scripts that draw: sets `python` to a Python with the package of python/, installed in build/venv.

venv=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build/venv
python=$venv/bin/python
if ! "$python" -c 'import cleave' 2>/dev/null; then
  printf 'cleave: installing the Python package in build/venv\n' >&2
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q -e "$venv/../../python[hdf5]"
fi

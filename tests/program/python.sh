#!/usr/bin/env bash
# The Python package: `pip install ./python` in a fresh virtual environment gives what runs, reads, draws and reports; its wheel is
# built and installed in another, where its tests are run with the program.
# Exit code 77 (skipped) where there is no Python with venv, or no registry of packages.
#
# Usage: python.sh PROGRAM REPOSITORY FOLDER    (FOLDER keeps that of the tests for the next time)
set -euo pipefail
program=$(realpath "$1") repository=$(realpath "$2")
mkdir -p "$3"
folder=$(realpath "$3")

skip() {
  printf '\n*** SKIPPED: THE PYTHON PACKAGE WAS NOT TESTED ***\n%s\n\n' "$*" >&2
  exit 77
}

command -v python3 >/dev/null || skip "there is no python3"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || skip "python3 is older than 3.11, which this test needs"
python=$folder/venv/bin/python
if ! "$python" -c '' 2>/dev/null; then
  python3 -m venv "$folder/venv" || skip "python3 -m venv fails; Debian's package is python3-venv"
fi

# What pyproject.toml asks for: these come from elsewhere, so that a failure is not one of this package.
wanted=$("$python" - "$repository/python/pyproject.toml" <<'END'
import sys, tomllib
with open(sys.argv[1], "rb") as file:
    project = tomllib.load(file)
print(*project["build-system"]["requires"], *project["project"]["dependencies"],
      *project["project"]["optional-dependencies"]["test"], sep="\n")
END
)
"$python" -m pip install -q --disable-pip-version-check $wanted ||
  skip "pip cannot install $(tr '\n' ' ' <<<"$wanted"): there is no network, or no registry"

# As a user installs it, with what it depends on and nothing more.
rm -rf "$folder/fresh" "$folder/user"
mkdir "$folder/user"
python3 -m venv "$folder/fresh"
(cd "$repository" && "$folder/fresh/bin/pip" install -q --disable-pip-version-check ./python)
cat >"$folder/user/bar.yaml" <<'YAML'
mesh: {shape: rectangle, size: [0.02, 0.004], divisions: [20, 4], perturbation: {amplitude: 0.2, seed: 1}}
material: {young_modulus: 3.0e9, poisson_ratio: 0.3, density: 1200}
cohesive: {normal: {strength: 20.0e6, energy: 50}}
time: {end: 30.0e-6}
initial: {velocity_gradient: {xx: 2.0e3}}
output: {directory: out, fields_every: 100}
YAML
(
  cd "$folder/user"
  export CLEAVE=$program PATH=$folder/fresh/bin:$PATH
  python -c '
import pathlib, cleave
assert "fresh" in cleave.__file__, cleave.__file__
results = cleave.run("bar.yaml")
assert results.history["fragments"].iloc[-1] > 1
assert results.frames[-1]["stress"].shape[1] == 6
results.frames[-1].points
cleave.plot.fields(results).savefig("fields.png")
'
  cleave-py report out >/dev/null
  [ -s fields.png ] && [ -s out/report.html ]
)
rm -rf "$folder/fresh"

rm -rf "$folder/wheel"
"$python" -m pip wheel -q --no-deps --no-build-isolation --wheel-dir "$folder/wheel" "$repository/python"
"$python" -m pip install -q --disable-pip-version-check --no-index --no-deps --force-reinstall "$folder"/wheel/cleave-*.whl

cd "$folder" # where no sources are that could be taken for the package
export CLEAVE=$program
"$folder/venv/bin/cleave-py" --help >/dev/null
"$python" -c 'import cleave; assert "site-packages" in cleave.__file__, cleave.__file__'
# -rs: a test that skips says why, at the end.
exec "$python" -m pytest -q -rs -p no:cacheprovider "$repository/python/tests"

"""What docs/python.md shows works as it stands there."""
import code
import pathlib
import re

import pytest

from cleave.cracks import __doc__ as crack_columns

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def test_its_python_runs(program, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CLEAVE", program)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    console = code.InteractiveConsole()
    for block in re.findall(r"```python\n(.*?)```", TEXT, flags=re.S):
        for line in [*block.splitlines(), ""]:  # as if pasted, with Enter after it
            console.push(line)
    said = capsys.readouterr()
    assert said.err == ""
    assert "2\ncleave: " in said.out
    assert (tmp_path / "pattern.svg").exists() and console.locals["results"].summary["status"] == "done"


@pytest.mark.parametrize("table", ["cracks", "fragment_statistics"])
def test_it_names_all_columns(results, table):
    for column in getattr(results, table).columns:
        if table == "cracks" or column.endswith(("_scale", "_modulus")) and not column.startswith("speed"):
            assert f"`{column}`" in TEXT, column
        if table == "cracks":
            assert column in crack_columns

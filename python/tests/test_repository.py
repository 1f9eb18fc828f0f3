"""What the repository's own scripts draw with the package; skipped outside a repository."""
import json
import pathlib
import re

import pytest

from cleave.benchmarks import draw_benchmarks
from cleave.errors import ResultsError
from cleave.verification import draw_verification

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_package_and_program_have_one_version():
    package = re.search(r'^version = "(.+)"', (ROOT / "python" / "pyproject.toml").read_text(), flags=re.M).group(1)
    assert f"project(cleave VERSION {package} " in (ROOT / "CMakeLists.txt").read_text()


def test_pictures_of_the_texts_are_small():
    assert [str(file) for file in (ROOT / "docs").rglob("*.png") if file.stat().st_size > 150_000] == []
    assert [str(file) for file in (ROOT / "docs").rglob("*.gif") if file.stat().st_size > 1_000_000] == []


def test_each_case_of_the_gallery_has_its_thumbnail():
    text = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| \[!\[\w+\]\(([^)]+)\)\]\(#", text, flags=re.M)
    assert len(shown) == text[:text.index("\n## ")].count("\n| ") - 1  # every row but the names of columns
    assert all((ROOT / "docs" / name).is_file() for name in shown)
    drawn = {file.name for file in (ROOT / "docs" / "gallery" / "thumbnails").iterdir()}
    assert drawn == {name.rsplit("/", 1)[1] for name in shown}


def test_benchmarks_are_drawn(tmp_path):
    ring = {"mesh": "ring:6x48", "assembly": "gather", "machine": "CPU, 1 thread"}
    stages = [{"stage": "element blocks", "seconds": 0.2}, {"stage": "interface nodes", "seconds": 0.1}]
    (tmp_path / "kernels.json").write_text(json.dumps({"bench": "kernels", "rows": [ring | stage for stage in stages]}))
    (tmp_path / "rate.json").write_text(json.dumps({"bench": "insertion-rate", "rows": [ring | {"stages": stages}]}))
    measured = sorted((ROOT / "benchmarks" / "results").glob("h200_*/*.json"))
    paths = draw_benchmarks(tmp_path / "new", measured + [tmp_path / "kernels.json", tmp_path / "rate.json"])
    names = {path.stem for path in paths}
    assert names == {"speed_by_size", "stages_elastic", "stages_breaking", "strategies", "insertion_time", "ladder"}
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)
    (tmp_path / "other.json").write_text(json.dumps({"a": 1}))
    with pytest.raises(ResultsError, match="other.json: not written by `cleave bench --json`"):
        draw_benchmarks(tmp_path, [tmp_path / "other.json"])


def test_verification_is_drawn(tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    waves = "".join(f"wave;speed;1.0;{reached};m/s;1 %\n" for reached in (0.99, 0.98, 0.99))
    (run / "figures.csv").write_text(waves + "crack;length;2;2.1;m;5 %\n")
    (run / "space_T3_strain.csv").write_text("h,l2_error\n0.1,1e-3\n0.05,2.5e-4\n")
    paths = draw_verification(run, tmp_path / "report")
    assert [path.name for path in paths] == ["convergence.png", "figures.md"]
    assert "| speed | 1.0 | 0.99, 0.98 | m/s | 1 % |" in paths[-1].read_text()

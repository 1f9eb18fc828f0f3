"""Movies, and what notebooks show."""
import imageio_ffmpeg
import pytest
from PIL import Image

import cleave
from cleave.command_line import main
from cleave.movie import write_movie
from cleave.page import number


def test_a_gif_has_all_frames_and_stays_at_the_last(results, tmp_path):
    told = []
    path = write_movie(results, tmp_path / "m.gif", rate=10, resolution=40, progress=told.append)
    with Image.open(path) as movie:
        assert movie.n_frames == len(results.frames) == len(told)
        assert movie.info["duration"] == 100 and movie.info["loop"] == 0
        movie.seek(movie.n_frames - 1)
        assert movie.info["duration"] == 1500 and movie.convert("RGB").getpixel((0, 0)) == (255, 255, 255)


def test_an_mp4_has_all_frames(results, tmp_path):
    path = write_movie(results, tmp_path / "m.mp4", "fragment", warp=2, rate=10, resolution=41, workers=2)
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(path))
    assert frames == len(results.frames) + 15 and seconds == pytest.approx(frames / 10, abs=0.1)


def test_animate_writes_a_movie_with_few_frames(directory, tmp_path, capsys):
    main(["animate", str(directory), "-o", str(tmp_path / "m.gif"), "--frames", "3", "--field", "speed", "--resolution", "30"])
    assert capsys.readouterr().out == f"written to {tmp_path / 'm.gif'}\n"
    with Image.open(tmp_path / "m.gif") as movie:
        assert movie.n_frames == 3


@pytest.mark.parametrize("options, says", [(["-o", "m.avi"], "m.avi: unknown format of movies; end the name in .gif or .mp4"),
                                           (["--rate", "0"], "at least one frame"), (["--field", "sped"], "did you mean 'speed'"),
                                           (["-o", "no/m.gif"], "cannot be written"), (["-o", "no/m.mp4"], "does not exist")])
def test_a_movie_that_cannot_be_is_one_line(directory, tmp_path, monkeypatch, capsys, options, says):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["animate", str(directory), "--resolution", "30", "--frames", "2", *options])
    said = capsys.readouterr().err
    assert end.value.code == 2 and said.startswith("cleave-py: ") and said.count("\n") == 1 and says in said


def test_notebooks_show_figures(results):
    assert cleave.plot.history(results)._repr_png_().startswith(b"\x89PNG")
    assert cleave.plot.fields(results)._repr_png_().startswith(b"\x89PNG")


def test_notebooks_show_the_summary_of_results(results):
    shown = results._repr_html_()
    assert "<b>Expanding square &lt;5 &amp; 6&gt;</b>" in shown
    for text in ("done", str(results.summary["fragments"]), number(results.failed_length, "m")):
        assert f"<td>{text}</td>" in shown


def test_notebooks_show_results_of_a_run_that_has_just_begun(tmp_path):
    (tmp_path / "history.csv").write_text("step,time\n0,0\n")
    assert "summary.json: no such file" in cleave.Results(tmp_path)._repr_html_()

import base64
import html.parser
import io
import re

import numpy as np
import pytest

import cleave
from cleave.page import number
from cleave.progress import Progress
from cleave.report import write_report


class Page(html.parser.HTMLParser):
    """Tags that are open, addresses of pictures, headings."""

    def __init__(self, text):
        super().__init__()
        self.open, self.sources, self.attributes = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag not in ("img", "input", "wbr", "meta"):
            self.open.append(tag)
        self.attributes += [name for name, _ in attributes]
        self.sources += [value for name, value in attributes if name in ("src", "href")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def text(directory, tmp_path_factory):
    path = write_report(cleave.Results(directory), tmp_path_factory.mktemp("report") / "r.html")
    return path.read_text(encoding="utf-8")


def test_the_page_needs_nothing_from_elsewhere(text):
    page = Page(text)
    assert page.open == []
    assert page.sources and all(source.startswith("data:image/") for source in page.sources)
    assert not re.search(r"@import|url\(", text)
    for source in page.sources:
        data = base64.b64decode(source.split(",", 1)[1], validate=True)
        assert data[:4] in (b"RIFF", b"\x89PNG", b"<?xm")


def test_the_page_has_all_parts(text, results):
    assert "<h1>Expanding square &lt;5 &amp; 6&gt;</h1>" in text
    for part in ("Pictures", "Mesh", "Energies", "Cracks", "Fragments", "Probes", "Lines", "Speed", "Case"):
        assert f"<h2>{part}</h2>" in text
    assert text.count('class="warning"') == len(results.summary["warnings"]) > 0
    assert "<details>" in text and "stiffness_safety" in text
    assert f"<b>{results.summary['fragments']}</b><span>fragments</span>" in text


def test_the_headline_is_the_failed_length(text, results):
    boxes = text[text.index('<div class="numbers">'):text.index("<h2>Pictures</h2>")]
    assert 0 < results.failed_length < results.history["crack_length"].iloc[-1]
    assert f"<b>{number(results.failed_length, 'm')}</b><span>failed length of cracks</span>" in boxes
    inserted = number(float(results.history["crack_length"].iloc[-1]), "m")
    assert inserted not in boxes and f"<th>length of all inserted ones</th><td>{inserted}</td>" in text


def test_the_energies_are_in_words_with_the_reaction_work(text, results):
    last = results.history.iloc[-1]
    for words, column in (("work on the body: reaction work", "reaction_work"), ("energies of the body: kinetic", "kinetic_energy")):
        assert f"<th>{words}</th><td>{number(float(last[column]), 'J')}</td>" in text


def test_the_page_has_no_path_of_the_machine(text, results):
    drawn = text[:text.index("<h2>Case</h2>")]
    assert results.directory.name in drawn and str(results.directory.parent) not in drawn


def test_progress_tells_frames_and_parts_and_processes_make_the_same_page(text, results, tmp_path):
    told = []
    path = write_report(results, tmp_path / "r.html", told.append, workers=2)
    assert told[0] == f"pictures, frame 1 of {len(results.frames)}" and told[-1] == "case" and "cracks" in told
    assert re.sub(r'src="data:image/svg[^"]*"', "", path.read_text(encoding="utf-8")) == re.sub(r'src="data:image/svg[^"]*"', "", text)


class Stream(io.StringIO):
    def __init__(self, terminal):
        super().__init__()
        self.isatty = lambda: terminal


def test_progress_is_one_line_of_a_terminal_and_silent_in_a_log():
    for terminal, shown in ((True, "\r\033[Kone\r\033[Ktwo\r\033[K"), (False, "")):
        stream = Stream(terminal)
        with Progress(stream, interval=0) as progress:
            progress("one")
            progress("two")
        assert stream.getvalue() == shown


def test_the_animation_has_all_frames_and_their_times(text, results):
    assert text.count("data:image/webp") == len(results.frames)
    times = re.search(r"const times = (\[.*?\])", text).group(1)
    assert times.count("\\u00b5s") + times.count("µs") >= len(results.frames) - 1


def test_a_run_that_breaks_nothing(program, case, tmp_path):
    intact = cleave.run(case, set={"time.steps": 20, "cohesive": "none", "output.probes": []}, program=program,
                        output=tmp_path)
    page = write_report(intact).read_text(encoding="utf-8")
    assert "No facet broke." in page and "The body is in one piece." in page and "Probes" not in page


def test_a_run_that_failed_without_numbers(program, case, tmp_path):
    with pytest.raises(cleave.RunError):
        cleave.run(case, set={"time.steps": 1000, "cohesive": "none", "initial.velocity_gradient.xx": -1e9,
                              "output.probes": []}, program=program, output=tmp_path)
    results = cleave.Results(tmp_path)
    page = write_report(results).read_text(encoding="utf-8")
    assert '<p class="status bad">failed</p>' in page and "an element has turned inside out" in page

    last = results.frames[-1]
    for array in (*last.point_data.values(), *last.cell_data.values()):
        if array.dtype.kind == "f":
            array[3:7] = (np.array([np.nan, np.inf, -np.inf, 0]) if array.ndim == 1 else np.nan)
    results.frames._read = lambda number: last
    page = write_report(results).read_text(encoding="utf-8")
    assert page.count("data:image/webp") == len(results.frames)


@pytest.mark.parametrize("fields, left_out", [(["displacement", "failed"], 0), ([], 2), (["stress"], 2),
                                              (["displacement", "stress"], 1), (["fragment"], 2)])
def test_frames_with_few_arrays(program, case, tmp_path, fields, left_out):
    results = cleave.run(case, set={"time.steps": 200, "output.fields": fields}, program=program, output=tmp_path)
    text = write_report(results).read_text(encoding="utf-8")
    assert "<h2>Mesh</h2>" in text and "<h2>Energies</h2>" in text
    assert text.count("Left out here") <= left_out

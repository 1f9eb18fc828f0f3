"""A self-contained HTML page about a run: case, results and speed."""
import functools
import html
import re

import numpy as np
from matplotlib.figure import Figure

from . import plot
from .animation import Animation
from .errors import ResultsError
from .fields import field_names, usual_field
from .headline import headline
from .parallel import each
from .mesh_quality import mesh_quality
from .page import number, picture, rows, write_page
from .plot.body import has_cracks
from .plot.series import visible_warp
from .plot.style import without_formulas
from .text_file import read_text
from .units import unit_of


def write_report(results, path=None, progress=lambda text: None, workers=1):
    """Writes the page, by default report.html in the directory of the results. Returns its path.

    progress: called with what has been made
    workers:  processes that draw, where the system can fork
    """
    series = _or_error(_series, results)
    frames = series.numbers if isinstance(series, Animation) else []
    parts = {"summary": _head, "pictures": _panels, "mesh": _mesh, "energies": _energies, "cracks": _cracks,
             "fragments": _fragments, "probes": _probes, "lines": _lines, "speed": _speed, "case": _case}
    jobs = [functools.partial(_or_error, series.frame, number) for number in frames]
    jobs += [functools.partial(_or_error, make, results) for make in parts.values()]
    names = [*(f"pictures, frame {i + 1} of {len(frames)}" for i in range(len(frames))), *parts]
    made = []
    for name, one in zip(names, each(jobs, workers)):
        progress(name)
        made.append(one)
    images, made = made[:len(frames)], dict(zip(parts, made[len(frames):]))
    made["pictures"] = _pictures(series, images, made["pictures"])
    return write_page(results.directory, path, str(results.summary.get("title", results.directory.name)),
                      [_or_note(part) for part in made.values()])


def _or_error(make, *arguments):
    """A part of the page, or the error about what is missing for it, as `output.fields` may leave out any array."""
    try:
        return make(*arguments)
    except ResultsError as error:
        return error


def _or_note(part):
    return f'<p class="soft">Left out here: {_words(part)}</p>\n' if isinstance(part, ResultsError) else part


def _words(text):
    """A line of the program as HTML, with text in backquotes as code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(str(text)))


def _head(results):
    s = results.summary
    good = s["status"] == "done"
    reason = f'<p class="warning">{_words(s["reason"])}</p>' if s.get("reason") else ""
    boxes = "".join(f"<div><b>{html.escape(value)}</b><span>{name}</span></div>" for name, value in headline(results))
    warnings = "".join(f'<p class="warning">{_words(w)}</p>' for w in s.get("warnings", []))
    return (f'<h1>{html.escape(s["title"])}</h1><p class="status{"" if good else " bad"}">{html.escape(s["status"])}</p>'
            f'<p class="soft">{html.escape(results.directory.resolve().name)} · Cleave {html.escape(s["version"])}</p>\n'
            f'<div class="numbers">{boxes}</div>\n{reason}{warnings}\n')


def _series(results):
    """The animation; None where the frames have no field to colour it."""
    colour = usual_field(results.frames[-1].standing())
    return Animation(results, colour, visible_warp(results)) if colour else None


def _panels(results):
    """Crack pattern and fragments at the end."""
    body, cracks = results.frames[-1].standing(), results.crack_frames[-1]
    panels = []
    if has_cracks(cracks, warp=1):
        panels.append(picture(plot.pattern(results), vector=False))
    if {"fragment", "displacement"} <= set(field_names(body)) and np.ptp(body["fragment"]) > 0:
        panels.append(picture(plot.fields(results, "fragment", warp=visible_warp(results)), vector=False))
    width, height = np.ptp(body.points, axis=0)
    beside = ' class="pair"' if width < 1.4 * height and len(panels) > 1 else ""  # a wide body gets the whole width
    return f'<div{beside}>{"".join(panels)}</div>\n' if panels else ""


def _pictures(series, images, panels):
    """The part of the page; one error stands for it all."""
    wrong = next((one for one in (series, *images, panels) if isinstance(one, ResultsError)), None)
    shown = wrong or (series.html(images) if series else "") + panels
    return shown if wrong or not shown else f"<h2>Pictures</h2>{shown}"


def _mesh(results):
    s, quality = results.summary, mesh_quality(results.frames[0])
    nodes = f"{s['initial_nodes']:,}, at the end {s['nodes']:,}"
    element = {3: "T3", 6: "T6"}[results.frames[0].cells.shape[1]]
    return "<h2>Mesh</h2>" + rows([
        ("triangles", f"{s['elements']:,} {element}"), ("nodes", nodes), ("facets", f"{s['facets']:,}"),
        ("shortest and longest side", f"{number(quality.shortest, 'm')}, {number(quality.longest, 'm')}"),
        ("mean side", number(quality.mean, "m")),
        ("angles", f"{quality.smallest_angle:.1f}° to {quality.largest_angle:.1f}°"),
        ("area", number(quality.area, "m²"))])


def _energies(results):
    """Energies over time, and at the end: those that are not zero, with both sides of the balance."""
    last = results.history.iloc[-1]
    sides = [("work on the body", (("external_work", "external work"), ("reaction_work", "reaction work"),
                                   ("body_work", "work of the body force"))),
             ("energies of the body", (("kinetic_energy", "kinetic"), ("strain_energy", "strain"),
                                       ("recoverable_energy", "recoverable in cracks"),
                                       ("support_energy", "springs of supports"), ("contact_energy", "contact"))),
             ("dissipated", (("dissipated_energy", "by cracks"), ("plastic_energy", "plastic"), ("viscous_energy", "viscous"),
                             ("friction_energy", "friction"), ("contact_friction_energy", "friction of contact"),
                             ("eroded_energy", "eroded"),
                             ("damping_energy", "damping"), ("absorbed_energy", "absorbed at boundaries")))]
    always = ("external_work", "reaction_work", "kinetic_energy", "strain_energy", "dissipated_energy")
    table = [(f"{side}: {name}", number(float(last[column]), "J")) for side, columns in sides for column, name in columns
             if column in last and (column in always or last[column] != 0)]
    return "<h2>Energies</h2>" + picture(plot.history(results, warnings=False)) + rows(table)


def _cracks(results):
    if results.history["cohesive_elements"].iloc[-1] == 0:
        return "<h2>Cracks</h2><p>No facet broke.</p>"
    last = results.cracks.iloc[-1]
    shown = [("failed_length", "failed length"), ("cracks", "separate cracks"), ("tips", "tips inside the body"),
             ("branches", "branches"), ("failed_elements", "cohesive elements that failed"),
             ("cohesive_elements", "cohesive elements inserted"), ("crack_length", "length of all inserted ones"),
             ("dissipated_per_area", "dissipated energy over area of all inserted ones")]
    table = [(text, number(last[name] if unit_of(name) else int(last[name]), unit_of(name))) for name, text in shown]
    return "<h2>Cracks</h2>" + picture(plot.cracks(results)) + rows(table)


def _fragments(results):
    count = results.fragment_statistics["fragments"].iloc[-1]
    if count < 2:
        return f"<h2>Fragments</h2><p>{'The body is in one piece' if count == 1 else 'All of the body has eroded'}.</p>"
    return "<h2>Fragments</h2>" + picture(plot.fragments(results))


def _probes(results):
    if not (results.directory / "probes.csv").exists():
        return ""
    return "<h2>Probes</h2>" + picture(plot.probes(results))


def _lines(results):
    if not (results.directory / "lines.csv").exists():
        return ""
    names = results.lines["line"].unique()
    return "<h2>Lines</h2>" + "".join(picture(plot.lines(results, name=name)) for name in names)


def _speed(results):
    s = results.summary
    lines = [("device", s["device"]), ("precision, assembly", f"{s['precision']}, {s['assembly']}"),
             ("wall time", f"{s['wall_time']:.4g} s, of it {s['output_time']:.3g} s waiting for output"),
             ("speed", f"{s['element_steps_per_second']:.4g} element-steps/s"),
             ("step", number(s["step"], "s")),
             ("memory of the process, at most", f"{s['peak_memory_bytes'] / 2**20:.1f} MiB"),
             ("arrays of the solver", f"{s['peak_solver_bytes'] / 2**20:.1f} MiB")]
    return "<h2>Speed</h2>" + rows(lines) + (picture(_stages(s["stages"])) if s.get("stages") else "")


def _stages(stages):
    """A bar for each stage with more than 1 % of the time."""
    total = sum(stage["seconds"] for stage in stages)
    shown = sorted((stage for stage in stages if stage["seconds"] > 0.01 * total), key=lambda stage: stage["seconds"])
    figure = Figure(figsize=(6.3, 0.8 + 0.25 * len(shown)), layout="constrained")
    axes = figure.subplots()
    axes.barh([without_formulas(stage["name"]) for stage in shown],
              [100 * stage["seconds"] / total for stage in shown], color="#0072B2")
    axes.set_xlabel("part of the time (%)")
    return figure


def _case(results):
    text = html.escape(read_text(results.directory / "case.resolved.yaml", "run the case again"))
    return f"<h2>Case</h2><details><summary>all keys, with defaults</summary><pre>{text}</pre></details>\n"

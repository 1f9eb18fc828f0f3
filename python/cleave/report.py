"""A self-contained HTML page about a run: case, results and speed."""
import html
import re

import numpy as np
from matplotlib.figure import Figure

from . import plot
from .animation import animation, visible_warp
from .errors import ResultsError
from .fields import field_names
from .mesh_quality import mesh_quality
from .page import number, picture, rows, write_page
from .plot.style import without_formulas
from .text_file import read_text
from .units import unit_of


def write_report(results, path=None):
    """Writes the page, by default report.html in the directory of the results. Returns its path."""
    parts = [_part(results, make) for make in (_head, _pictures, _mesh, _energies, _cracks, _fragments, _probes, _lines, _speed,
                                               _case)]
    return write_page(results.directory, path, str(results.summary.get("title", results.directory.name)), parts)


def _part(results, make):
    """A part of the page, or a note about the missing array, as `output.fields` may leave out any."""
    try:
        return make(results)
    except ResultsError as error:
        return f'<p class="soft">Left out here: {_words(str(error))}</p>\n'


def _words(text):
    """A line of the program as HTML, with text in backquotes as code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(str(text)))


def _head(results):
    s = results.summary
    last = results.history.iloc[-1]
    good = s["status"] == "done"
    reason = f'<p class="warning">{_words(s["reason"])}</p>' if s.get("reason") else ""
    numbers = [("simulated", number(float(last["time"]), "s")), ("steps", number(int(last["step"]))),
               ("triangles", number(s["elements"])), ("cohesive elements", number(int(last["cohesive_elements"]))),
               ("crack length", number(float(last["crack_length"]), "m")),
               ("fragments", number(int(last["fragments"]))),
               ("dissipated by cracks", number(float(last["dissipated_energy"]), "J")),
               ("largest balance error", f"{np.abs(results.history['balance_error']).max():.1e}")]
    boxes = "".join(f"<div><b>{html.escape(value)}</b><span>{name}</span></div>" for name, value in numbers)
    warnings = "".join(f'<p class="warning">{_words(w)}</p>' for w in s.get("warnings", []))
    return (f'<h1>{html.escape(s["title"])}</h1><p class="status{"" if good else " bad"}">{html.escape(s["status"])}</p>'
            f'<p class="soft">{html.escape(str(results.directory.resolve()))} · Cleave {html.escape(s["version"])}</p>\n'
            f'<div class="numbers">{boxes}</div>\n{reason}{warnings}\n')


def _pictures(results):
    body = results.frames[-1].standing()
    names = field_names(body)
    liked = ("stress", "largest_principal_stress", "von_mises_stress", "speed")
    colour = next((name for name in liked if name in names), None)
    parts, warp = [], visible_warp(results)
    if colour:
        parts.append(animation(results, colour, warp))
    elif "fragment" not in names:
        return ""
    panels = []
    if len(results.crack_frames[-1].cells) and {"failed", "displacement_a"} <= set(field_names(results.crack_frames[-1])):
        panels.append(picture(plot.pattern(results), vector=False))
    if {"fragment", "displacement"} <= set(names) and np.ptp(body["fragment"]) > 0:
        panels.append(picture(plot.fields(results, "fragment", warp=warp), vector=False))
    width, height = np.ptp(body.points, axis=0)
    beside = ' class="pair"' if width < 1.4 * height and len(panels) > 1 else ""  # a wide body gets the whole width
    return f'<h2>Pictures</h2>{"".join(parts)}<div{beside}>{"".join(panels)}</div>\n'


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
    return "<h2>Energies</h2>" + picture(plot.history(results, warnings=False))


def _cracks(results):
    if results.history["cohesive_elements"].iloc[-1] == 0:
        return "<h2>Cracks</h2><p>No facet broke.</p>"
    last = results.cracks.iloc[-1]
    shown = [("failed_length", "failed length"), ("cracks", "separate cracks"), ("tips", "tips inside the body"),
             ("branches", "branches"), ("dissipated_per_area", "dissipated energy over area of all cohesive elements")]
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
             ("memory at most", f"{s['peak_memory_bytes'] / 2**20:.1f} MiB")]
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

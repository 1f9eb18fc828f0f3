"""Pictures of the body, coloured by a field, with its cracks; and of the crack pattern alone."""
import numbers

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from ..crack_graph import places_of
from ..cracks import failed_cracks
from ..errors import ResultsError
from ..fields import colour_scale
from ..units import round_below, scale_for
from .body import (Boundary, crack_legend, draw_body, draw_cracks, draw_obstacles, has_cracks, outlines, panel_size, set_view,
                   view_of)
from .style import BLACK, BLUE, GREY, ORANGE, new_figure, styled, time_scale


@styled
def fields(results, names=("stress",), frames=(-1,), warp=1.0, limits=None, over_series=False):
    """Draws frames side by side, wide bodies below each other, each with its cracks, with one view and one colour scale
    per field.

    names:       a field for each panel, or one for all: an array of the frames, a component (velocity_x), speed,
                 energy, or fragment
    frames:      a frame for each panel, or one for all; negative ones count from the end
    warp:        factor on displacements
    limits:      (low, high) of the colours, in SI units
    over_series: scale the colours to all frames of the run instead of those drawn
    """
    names, frames = _for_each_panel(names, frames)
    times = results.frames.times
    for number in frames:
        _check_frame(number, len(times))
    bodies = [results.frames[number].standing() for number in frames]
    cracks = [results.crack_frames[number] for number in frames]
    view, boundary = view_of(results.frames[0], bodies, warp), Boundary(results)
    width, height = panel_size(view)
    rows, columns = (len(names), 1) if width > 1.8 * height else (1, len(names))
    figure, axes = new_figure(rows, columns, size=(width * columns, height * rows), squeeze=False)
    axes = axes.ravel()
    second = time_scale(times)
    for name in dict.fromkeys(names):
        panels = [i for i, other in enumerate(names) if other == name]
        scale = None
        if name != "fragment":
            shown = (frame.standing() for frame in results.frames) if over_series else [bodies[i] for i in panels]
            scale = colour_scale(shown, name, limits)
        for i in panels:
            mapped = draw_body(axes[i], bodies[i], name, scale, warp)
            boundary.draw(axes[i], bodies[i], warp)
            draw_obstacles(axes[i], results, frames[i], warp)
            draw_cracks(axes[i], cracks[i], warp)
            set_view(axes[i], view)
            axes[i].set_title(title_of(bodies[i], second, warp))
        if scale:
            bar = figure.colorbar(mapped, ax=[axes[i] for i in panels], label=scale.label, shrink=0.75, pad=0.02,
                                  extend="both" if scale.signed else "max")
            bar.outline.set_visible(False)
    if any(has_cracks(frame, warp) for frame in cracks):
        figure.legend(handles=crack_legend(), loc="outside lower center", ncols=2)
    return figure


@styled
def pattern(results, frame=-1, ends=True):
    """Draws the cracks of a frame in the undeformed body, with their tips and branches unless `ends` is False."""
    _check_frame(frame, len(results.crack_frames))
    first, cracks = results.frames[0], results.crack_frames[frame]
    view = view_of(first, [], 0.0)
    figure, axes = new_figure(size=panel_size(view))
    axes.add_collection(PolyCollection(outlines(first, 0.0), color="0.93", linewidth=0.3))
    boundary = results.boundary
    axes.add_collection(LineCollection(first.points[boundary], colors=GREY, linewidths=0.6))
    draw_cracks(axes, cracks, warp=0.0)
    handles = crack_legend()
    graph = failed_cracks(cracks)
    if ends:
        for places, colour, marker, name in ((graph.tips(places_of(first.points)[boundary]), ORANGE, "o", "tip"),
                                             (graph.branches(), BLUE, "^", "branch")):
            size = np.clip(40 / np.sqrt(len(places) + 1), 1.5, 5)
            handles += axes.plot(places.real, places.imag, marker, ms=size, color=colour, label=name, ls="none")
    metre = scale_for(first.points, "m")
    _length_bar(axes, view, metre)
    length = float(graph.lengths.sum())
    time = time_scale(results.crack_frames.times).text(cracks.time)
    axes.set_title(f"cracks at {time}, {scale_for([length], 'm').text(length)} failed")
    figure.legend(handles=handles, loc="outside lower center", ncols=4)
    return figure


def title_of(body, second, warp):
    """Time, number of fragments and factor on displacements of a frame; second: the scale of times."""
    parts = [second.text(body.time)]
    if "fragment" in body.cell_data:
        pieces = len(np.unique(body.cell_data["fragment"]))
        parts.append(f"{pieces} fragment{'s' if pieces > 1 else ''}")
    if warp != 1:
        parts.append(f"displacements × {warp:g}")
    return ", ".join(parts)


def _for_each_panel(names, frames):
    names = [names] if isinstance(names, str) else list(names)
    frames = [frames] if isinstance(frames, numbers.Integral) else list(frames)
    panels = max(len(names), len(frames))
    if not names or not frames or panels % len(names) or panels % len(frames):
        raise ResultsError(f"{len(frames)} frames and {len(names)} fields do not make panels; give as many of both, "
                           "or one of either")
    return names * (panels // len(names)), frames * (panels // len(frames))


def _check_frame(number, count):
    if not -count <= number < count:
        raise ResultsError(f"there is no frame {number}: there are {count}, from 0")


def _length_bar(axes, view, metre):
    """A round length, about a fifth of the picture, below the body, for which the view grows."""
    (left, bottom), (right, top) = view
    step = 0.06 * (top - bottom)
    length = round_below(float(metre(right - left)) / 5)
    axes.plot([left, left + length / metre.factor], [bottom - step] * 2, color=BLACK, lw=2, solid_capstyle="butt")
    axes.annotate(f"{length:g} {metre.unit}", (left, bottom - step), (0, 4), textcoords="offset points", fontsize=8)
    set_view(axes, ((left, bottom - 1.3 * step), (right, top)))

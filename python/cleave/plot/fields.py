"""Pictures of the body, coloured by a field, with its cracks; and of the crack pattern alone."""
import numbers

import numpy as np
from matplotlib import colormaps
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.lines import Line2D

from ..crack_graph import places_of
from ..cracks import failed_cracks, intact_boundary
from ..errors import ResultsError
from ..fields import colour_scale, field_of
from ..units import round_below, scale_for
from .style import AMBER, BLACK, BLUE, GREY, ORANGE, new_figure, styled, time_scale

# Triangles as which a six-node or a three-node triangle is drawn, and its outline.
_PARTS = {6: [(0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)], 3: [(0, 1, 2)]}
_OUTLINE = {6: [0, 3, 1, 4, 2, 5], 3: [0, 1, 2]}
_ALONG = {3: [0, 2, 1], 2: [0, 1]}  # nodes of a cohesive element from end to end


@styled
def fields(results, names=("stress",), frames=(-1,), warp=1.0, limits=None, over_series=False):
    """Draws frames side by side, each with its cracks, with one scale of length and one colour scale per field.

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
    width, height = _panel_size(results.frames[0])
    figure, axes = new_figure(1, len(names), size=(width * len(names), height), squeeze=False)
    second = time_scale(times)
    for name in dict.fromkeys(names):
        panels = [i for i, other in enumerate(names) if other == name]
        scale = None
        if name != "fragment":
            shown = (frame.standing() for frame in results.frames) if over_series else [bodies[i] for i in panels]
            scale = colour_scale(shown, name, limits)
        for i in panels:
            mapped = draw_frame(axes[0, i], bodies[i], cracks[i], name, scale, warp)
            axes[0, i].set_title(_title(bodies[i], second, warp))
        if scale:
            bar = figure.colorbar(mapped, ax=[axes[0, i] for i in panels], label=scale.label, shrink=0.75, pad=0.02,
                                  extend="both" if scale.signed else "max")
            bar.outline.set_visible(False)
    _to_one_scale(axes[0])
    if any(has_cracks(frame, warp) for frame in cracks):
        figure.legend(handles=crack_legend(), loc="outside lower center", ncols=2)
    return figure


@styled
def pattern(results, frame=-1, ends=True):
    """Draws the cracks of a frame in the undeformed body, with their tips and branches unless `ends` is False."""
    _check_frame(frame, len(results.crack_frames))
    first, cracks = results.frames[0], results.crack_frames[frame]
    figure, axes = new_figure(size=_panel_size(first))
    outline = PolyCollection(first.points[first.cells[:, _OUTLINE[first.cells.shape[1]]]], color="0.93", linewidth=0.3)
    axes.add_collection(outline)
    boundary = intact_boundary(results)
    axes.add_collection(LineCollection(first.points[boundary], colors=GREY, linewidths=0.6))
    draw_cracks(axes, cracks, warp=0.0)
    handles = crack_legend()
    if ends:
        graph = failed_cracks(cracks)
        for places, colour, marker, name in ((graph.tips(places_of(first.points)[boundary]), ORANGE, "o", "tip"),
                                             (graph.branches(), BLUE, "^", "branch")):
            size = np.clip(40 / np.sqrt(len(places) + 1), 1.5, 5)
            dots = axes.plot(places.real, places.imag, marker, ms=size, color=colour, label=name, ls="none")
            handles += dots
    _finish(axes)
    metre = scale_for(first.points, "m")
    length = float(failed_cracks(cracks).lengths.sum())
    time = time_scale(results.crack_frames.times).text(cracks.time)
    axes.set_title(f"cracks at {time}, {scale_for([length], 'm').text(length)} failed")
    _length_bar(axes, metre)
    figure.legend(handles=handles, loc="outside lower center", ncols=4)
    return figure


@styled
def still(results, number, name, scale, view, warp, legend):
    """A frame of a series; view: (low, high) corners in m; colours and legend are the same for all frames."""
    body, cracks = results.frames[number].standing(), results.crack_frames[number]
    figure, axes = new_figure(size=_panel_size(results.frames[0]))
    mapped = draw_frame(axes, body, cracks, name, scale, warp)
    (left, bottom), (right, top) = view
    axes.set(xlim=(left, right), ylim=(bottom, top))
    figure.colorbar(mapped, ax=axes, label=scale.label, shrink=0.75, pad=0.02).outline.set_visible(False)
    if legend:
        figure.legend(handles=crack_legend(), loc="outside lower center", ncols=2)
    return figure


def draw_frame(axes, body, cracks, name, scale, warp):
    """Draws one frame; scale: a ColourScale, or None for `fragment`. Returns the mappable of the colour bar."""
    points, cells = drawn_points(body, warp), body.cells
    nodes = cells.shape[1]
    if name == "fragment":
        mapped = PolyCollection(points[cells[:, _OUTLINE[nodes]]], linewidth=0.3)
        mapped.set_color(_fragment_colours(field_of(body, name).values))
        axes.add_collection(mapped)
    else:
        field = field_of(body, name)
        values = scale.scale(field.values)
        if field.at_points:
            triangles = np.concatenate([cells[:, part] for part in _PARTS[nodes]])
            mapped = axes.tripcolor(points[:, 0], points[:, 1], triangles, values, shading="gouraud", **scale.style)
        else:
            mapped = PolyCollection(points[cells[:, _OUTLINE[nodes]]], array=values, edgecolor="face", linewidth=0.3)
            mapped.set(cmap=scale.style["cmap"], clim=(scale.low, scale.high))
            axes.add_collection(mapped)
    draw_cracks(axes, cracks, warp)
    _finish(axes)
    return mapped


def drawn_points(body, warp):
    """Displaced points; undeformed ones where a failed run has left values that are not finite."""
    points = body.displaced(warp)
    return np.where(np.isfinite(points), points, body.points)


def has_cracks(cracks, warp):
    """Whether cracks can be drawn; `output.fields` may leave out the arrays."""
    arrays = {"failed", "displacement_a", "displacement_b"} if warp else {"failed"}
    return len(cracks.cells) > 0 and arrays <= {*cracks.point_data, *cracks.cell_data}


def draw_cracks(axes, cracks, warp):
    """Draws both faces of every cohesive element: failed ones dark, ones that carry traction pale."""
    if not has_cracks(cracks, warp):
        return
    cells = cracks.cells[:, _ALONG[cracks.cells.shape[1]]]
    failed = cracks["failed"].astype(bool)
    for side in ("displacement_a", "displacement_b") if warp else (None,):
        lines = (cracks.displaced(warp, side) if side else cracks.points)[cells]
        axes.add_collection(LineCollection(lines[~failed], colors=AMBER, linewidths=0.9))
        axes.add_collection(LineCollection(lines[failed], colors=BLACK, linewidths=0.7))


def crack_legend():
    return [Line2D([], [], color=BLACK, lw=1.2, label="failed"),
            Line2D([], [], color=AMBER, lw=1.2, label="still carries traction")]


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


def _title(body, second, warp):
    parts = [second.text(body.time)]
    if "fragment" in body.cell_data:
        pieces = len(np.unique(body.cell_data["fragment"]))
        parts.append(f"{pieces} fragment{'s' if pieces > 1 else ''}")
    if warp != 1:
        parts.append(f"displacements × {warp:g}")
    return ", ".join(parts)


def _fragment_colours(fragment):
    """A colour for each triangle, such that large fragments differ clearly."""
    palette = colormaps["Set2"].colors + colormaps["Set3"].colors
    _, inverse, sizes = np.unique(fragment, return_inverse=True, return_counts=True)
    rank = np.empty(len(sizes), int)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return [palette[shade % len(palette)] for shade in rank[inverse.ravel()]]


def _panel_size(body):
    """Size in inches of a panel for the body, with room for a colour bar, a title and a legend."""
    width, height = np.ptp(body.points, axis=0)
    inches = float(np.clip(4.2 * width / height, 2.5, 9.0))
    return inches + 1.1, min(inches * height / width, 6.0) + 0.7


def _finish(axes):
    axes.set_aspect("equal")
    axes.axis("off")
    axes.autoscale_view()


def _to_one_scale(axes):
    reach = np.array([[*panel.get_xlim(), *panel.get_ylim()] for panel in axes])
    for panel in axes:
        panel.set_xlim(reach[:, 0].min(), reach[:, 1].max())
        panel.set_ylim(reach[:, 2].min(), reach[:, 3].max())


def _length_bar(axes, metre):
    """A round length, about a fifth of the picture, below the body."""
    left, right = axes.get_xlim()
    low = axes.get_ylim()[0]
    length = round_below(float(metre(right - left)) / 5)
    axes.plot([left, left + length / metre.factor], [low, low], color=BLACK, lw=2, solid_capstyle="butt")
    axes.annotate(f"{length:g} {metre.unit}", (left, low), (0, 4), textcoords="offset points", fontsize=8)

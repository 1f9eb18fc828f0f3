"""The body and its cracks on axes: colours by a field, cracks by damage, and the view that holds the body."""
import numpy as np
from matplotlib import colormaps
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D

from ..errors import ResultsError
from ..fields import field_of
from .style import BLACK, GREY

# Triangles as which a six-node or a three-node triangle is drawn, and its outline.
_PARTS = {6: [(0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)], 3: [(0, 1, 2)]}
_OUTLINE = {6: [0, 3, 1, 4, 2, 5], 3: [0, 1, 2]}
_SIDES = ([0, 1], [1, 2], [2, 0])  # corners of the sides of a triangle
_ALONG = {3: [0, 2, 1], 2: [0, 1]}  # nodes of a cohesive element from end to end
_SMALL = 0.02  # share of the area below which a fragment may leave the picture
_ROOM = 0.25  # the view grows on each side by at most this share of the body's larger size
_LEVELS = 16  # of damage; all cracks of a level are one line, and those of the lowest are not drawn


def outlines(body, warp):
    """The outline of each triangle: [triangle, node, 2], m."""
    return drawn_points(body, warp)[body.cells[:, _OUTLINE[body.cells.shape[1]]]]


def draw_body(axes, body, name, scale, warp, fine=True, steady=False):
    """Draws the triangles of a frame. Returns the artist.

    scale:  a ColourScale, or None for `fragment`
    fine:   six-node triangles as four, with the values of all nodes, not as one
    steady: fragments keep their colours from frame to frame
    """
    if name == "fragment":
        triangles = PolyCollection(outlines(body, warp), linewidth=0.3)
        triangles.set_color(_fragment_colours(field_of(body, name).values, steady))
        return axes.add_collection(triangles)
    field = field_of(body, name)
    values = scale.scale(field.values)
    if field.at_points:
        parts = _PARTS[body.cells.shape[1] if fine else 3]
        triangles = np.concatenate([body.cells[:, part] for part in parts])
        return axes.tripcolor(*drawn_points(body, warp).T, triangles, values, shading="gouraud", **scale.style)
    triangles = PolyCollection(outlines(body, warp), array=values, edgecolor="face", linewidth=0.3)
    triangles.set(cmap=scale.style["cmap"], clim=(scale.low, scale.high))
    return axes.add_collection(triangles)


def drawn_points(body, warp):
    """Displaced points; undeformed ones where a failed run has left values that are not finite."""
    points = body.displaced(warp)
    return np.where(np.isfinite(points), points, body.points)


def has_cracks(cracks, warp):
    """Whether cracks can be drawn; `output.fields` may leave out the arrays."""
    arrays = {"failed", "displacement_a", "displacement_b"} if warp else {"failed"}
    return len(cracks.cells) > 0 and arrays <= {*cracks.point_data, *cracks.cell_data}


def damage_of(cracks):
    """Damage of each cohesive element, 1 of failed ones; without the array it is 0 of the others."""
    damage = np.nan_to_num(cracks.cell_data.get("damage", np.zeros(len(cracks.cells))))
    return np.where(cracks["failed"].astype(bool), 1.0, np.clip(damage, 0.0, 1.0))


def crack_width(damage):
    """Width in points of a line for a crack."""
    return 0.35 + 0.65 * damage


def draw_cracks(axes, cracks, warp):
    """Draws both faces of every cohesive element, the wider and darker the more damage it has. Returns the artists."""
    if not has_cracks(cracks, warp):
        return []
    level = np.ceil(damage_of(cracks) * _LEVELS - 1e-6).astype(int)
    cells = cracks.cells[:, _ALONG[cracks.cells.shape[1]]]
    faces = [cracks.displaced(warp, side) for side in ("displacement_a", "displacement_b")] if warp else [cracks.points]
    levels = [one for one in range(2, _LEVELS + 1) if (level == one).any()]  # failed ones last
    damage = np.array(levels) / _LEVELS
    colours = [(*to_rgb(BLACK), opacity) for opacity in damage**1.5]
    lines = [polyline(np.concatenate([points[cells[level == one]] for points in faces])) for one in levels]
    return [axes.add_collection(LineCollection(lines, colors=colours, linewidths=crack_width(damage)), autolim=False)]


def polyline(segments):
    """Segments [segment, point, 2] as one line with gaps, which is drawn much faster."""
    return np.concatenate([segments, np.full((len(segments), 1, 2), np.nan)], axis=1).reshape(-1, 2)


class Boundary:
    """The boundary of the intact body, drawn where it is in later frames; nothing where the results do not tell it."""

    def __init__(self, results):
        cells = results.frames[0].cells
        self._triangles = len(cells)
        try:
            facets = results.boundary
        except ResultsError:  # the run was resumed without its first frames
            facets = np.zeros((0, 2), dtype=int)
        sides = np.sort(np.concatenate([cells[:, side] for side in _SIDES]), axis=1)
        count = cells.max(initial=0) + 1
        self._sides = np.flatnonzero(np.isin(sides @ [count, 1], np.sort(facets, axis=1) @ [count, 1]))

    def draw(self, axes, body, warp):
        """Returns the artists. A body that has lost triangles has other numbers, so that nothing is drawn."""
        if len(body.cells) != self._triangles:
            return []
        ends = np.concatenate([body.cells[:, side] for side in _SIDES])[self._sides]
        lines = LineCollection([polyline(drawn_points(body, warp)[ends])], colors=GREY, linewidths=0.5)
        return [axes.add_collection(lines, autolim=False)]


def draw_obstacles(axes, results, number, warp):
    """Draws the obstacles of a frame, as far as the view shows them. Returns the artists: none where displacements are
    magnified, as the body would not touch them."""
    if results.obstacle_frames is None or warp != 1:
        return []
    frame = results.obstacle_frames[number]
    triangles = PolyCollection(frame.points[frame.cells], color="0.75", linewidth=0.3)
    return [axes.add_collection(triangles, autolim=False)]


def crack_legend():
    return [Line2D([], [], color=BLACK, lw=crack_width(damage), alpha=damage**1.5, label=label)
            for damage, label in ((1.0, "failed"), (0.5, "damage 0.5"))]


def large_parts(body):
    """Which triangles (bool) are of the body and of fragments that are not small; all, if all are small or none is known."""
    everything = np.ones(len(body.cells), dtype=bool)
    if "fragment" not in body.cell_data or len(body.cells) == 0:
        return everything
    a, b, c = (body.points[body.cells[:, i]] for i in range(3))
    areas = np.abs((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])
    _, fragment = np.unique(body.cell_data["fragment"], return_inverse=True)
    large = (np.bincount(fragment, areas) >= _SMALL * areas.sum())[fragment]
    return large if large.any() else everything


def view_of(start, bodies, warp):
    """Corners (low, high), m, of a view that holds the body as it was at the start and, in the frames drawn, its large parts.

    Small fragments may leave it, and it grows on each side by no more than a quarter of the body's size, so that what
    flies away does not make the rest small. It follows a body that moves as a whole.
    """
    low, high = start.points.min(axis=0), start.points.max(axis=0)
    room = _ROOM * (high - low).max()
    lows, highs = [low], [high]
    for body in bodies:
        nodes = np.unique(body.cells[large_parts(body)])
        points = drawn_points(body, warp)[nodes]
        if len(points) == 0:
            continue
        moved = np.median(points - body.points[nodes], axis=0)
        lows.append(np.maximum(points.min(axis=0), low + moved - room))
        highs.append(np.minimum(points.max(axis=0), high + moved + room))
    low, high = np.min(lows, axis=0), np.max(highs, axis=0)
    margin = 0.03 * (high - low).max()
    return low - margin, high + margin


def set_view(axes, view):
    (left, bottom), (right, top) = view
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set(xlim=(left, right), ylim=(bottom, top))


def panel_size(view):
    """Size in inches of a panel for the view, with room for a colour bar, a title and a legend."""
    width, height = view[1] - view[0]
    inches = float(np.clip(4.2 * width / height, 2.5, 9.0))
    return inches + 1.1, min(inches * height / width, 6.0) + 0.7


def _fragment_colours(fragment, steady):
    """A colour for each triangle: such that large fragments differ clearly, or steady, by the first triangle of a fragment, so
    that what breaks off gets another colour and the rest keeps its own."""
    palette = np.array(colormaps["Set2"].colors + colormaps["Set3"].colors)
    _, first, inverse, sizes = np.unique(fragment, return_index=True, return_inverse=True, return_counts=True)
    if steady:
        number = first * 2654435761 % 2**32 >> 16  # neighbours differ
    else:
        number = np.empty(len(sizes), int)
        number[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return palette[number[inverse.ravel()] % len(palette)]

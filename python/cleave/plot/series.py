"""Pictures of one frame after the other, with one view, one colour scale and one legend."""
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from ..fields import colour_scale
from ..units import round_below
from .body import (Boundary, crack_legend, draw_body, draw_cracks, draw_obstacles, drawn_points, has_cracks, large_parts,
                   panel_size, set_view, view_of)
from .fields import title_of
from .style import new_figure, show_dollars, style, time_scale

_FEWEST_PIXELS = 80  # of a triangle, on average, in which nodes inside its sides show


def visible_warp(results):
    """A round factor, at least 1, at which the largest final displacement of a large part is a few per cent of the body."""
    body = results.frames[-1].standing()
    nodes = np.unique(body.cells[large_parts(body)])
    if len(nodes) == 0:  # all of it has eroded
        return 1.0
    moved = (drawn_points(body, 1.0) - body.points)[nodes]
    largest = np.linalg.norm(moved - moved.mean(axis=0), axis=1).max()
    wanted = 0.06 * np.ptp(body.points, axis=0).max() / max(largest, 1e-300)
    return round_below(wanted) if 1 < wanted < 1e6 else 1.0


def frames_spread(results, most):
    """Numbers of at most so many frames, spread over the series, the first and the last among them."""
    count = len(results.frames)
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int)).tolist()


class SeriesPainter:
    """Draws frames of a run, coloured by a field. What all pictures have in common is drawn once.

    numbers: of the frames, whose range the colours have
    titled:  time and fragments above each picture
    """

    def __init__(self, results, name, warp, numbers, resolution=100, titled=False):
        self._results, self._name, self._warp, self._titled = results, name, warp, titled
        self._second = time_scale(results.frames.times)
        self._scale = None
        if name != "fragment":
            self._scale = colour_scale((results.frames[i].standing() for i in numbers), name)
        last = results.frames[numbers[-1]].standing()
        view = view_of(results.frames[0], [last], warp)
        with style():
            self._figure, self._axes = new_figure(size=panel_size(view))
            self._canvas = FigureCanvasAgg(self._figure)
            self._figure.set_dpi(resolution)
            set_view(self._axes, view)
            if self._scale:
                body = draw_body(self._axes, last, name, self._scale, warp)
                self._figure.colorbar(body, ax=self._axes, label=self._scale.label, shrink=0.75, pad=0.02).outline.set_visible(False)
                body.remove()
            if has_cracks(results.crack_frames[numbers[-1]], warp):
                self._figure.legend(handles=crack_legend(), loc="outside lower center", ncols=2)
            self._title = self._axes.set_title("0" if titled else "")
            show_dollars(self._figure)
            self._canvas.draw()  # places everything
            self._title.set_text("")
            self._figure.set_layout_engine("none")
            self._canvas.draw()
        self._boundary = Boundary(results)
        pixels = self._axes.get_window_extent().width * self._axes.get_window_extent().height
        self._fine = pixels > _FEWEST_PIXELS * len(last.cells)
        self._common = self._canvas.copy_from_bbox(self._figure.bbox)

    @property
    def label(self):
        """Of the colours."""
        return self._scale.label if self._scale else "fragments"

    def time(self, number):
        """Time of a frame, as text."""
        return self._second.text(self._results.frames.times[number])

    def picture(self, number):
        """A frame as a picture of Pillow, RGB."""
        body, cracks = self._results.frames[number].standing(), self._results.crack_frames[number]
        self._canvas.restore_region(self._common)
        with style():
            artists = [draw_body(self._axes, body, self._name, self._scale, self._warp, self._fine, steady=True),
                       *self._boundary.draw(self._axes, body, self._warp),
                       *draw_obstacles(self._axes, self._results, number, self._warp),
                       *draw_cracks(self._axes, cracks, self._warp)]
            if self._titled:
                self._title.set_text(title_of(body, self._second, self._warp))
            for artist in (*artists, self._title):
                self._axes.draw_artist(artist)
        for artist in artists:
            artist.remove()
        return Image.fromarray(np.asarray(self._canvas.buffer_rgba())).convert("RGB")

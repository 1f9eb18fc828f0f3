"""Common parts of all plots: colours, figures, axes of a quantity."""
import functools
import io

import matplotlib
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator

from ..units import scale_for

# Okabe and Ito's colours, distinguishable with every kind of colour vision.
BLACK, BLUE, ORANGE, GREEN, PINK, YELLOW, SKY, AMBER = (
    "black", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#F0E442", "#56B4E9", "#E69F00")
GREY = "0.55"
COLOURS = (BLUE, ORANGE, GREEN, PINK, AMBER, SKY, BLACK)

_STYLE = {
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "0.9",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.6,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.fonttype": "none",
    "text.usetex": False,
}


class Picture(Figure):
    """A figure that notebooks show when it is the last value of a cell."""

    def _repr_png_(self):
        png = io.BytesIO()
        self.savefig(png, format="png", dpi=110)
        return png.getvalue()


def without_formulas(text):
    """A label in which dollars do not begin formulas."""
    return text.replace("$", r"\$")


def style():
    """A context in which Matplotlib draws with the style of Cleave."""
    return matplotlib.rc_context(_STYLE)


def show_dollars(figure):
    """Shows dollars in names of groups, probes, keys and files as dollars. Tick labels stay as they are, because some
    have a power of ten as a formula."""
    axes = [axis for panel in figure.axes for axis in (panel.xaxis, panel.yaxis)]
    ticks = {id(label) for axis in axes for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
             for label in (tick.label1, tick.label2)}
    for text in figure.findobj(Text):
        if id(text) not in ticks:
            text.set_parse_math(False)


def styled(function):
    """Decorator: draws with the style of Cleave without changing the caller's style, and without formulas in texts."""
    @functools.wraps(function)
    def draw(*arguments, **options):
        with style():
            figure = function(*arguments, **options)
            show_dollars(figure)
            return figure
    return draw


def new_figure(rows=1, columns=1, size=(6.3, 4.0), **options):
    """A figure and its axes (an array when there are several)."""
    figure = Picture(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, **options)


def time_scale(times):
    return scale_for(times, "s")


def mark_time(axes, times, scale):
    """Sets up the axis of time, from 0 to the last time."""
    axes.set_xlabel(scale.label("time"))
    last = float(scale(times)[-1])
    if last > 0:
        axes.set_xlim(0, last)


def whole_numbers(*axes):
    """Sets up y axes of counts: whole numbers from 0."""
    for one in axes:
        one.set_ylim(0, max(1.0, one.get_ylim()[1]))
        one.yaxis.set_major_locator(MaxNLocator(nbins=6, integer=True, steps=[1, 2, 5, 10]))


def legend_beside(*axes):
    """Places legends to the right of the axes, where they hide nothing."""
    for one in axes:
        one.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))

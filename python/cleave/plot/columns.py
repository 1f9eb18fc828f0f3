"""One column of a table over another, such as a force over a displacement."""
import numpy as np

from ..expression import evaluate
from .style import BLUE, new_figure, styled


@styled
def columns(table, x="time", y="kinetic_energy"):
    """Draws y over x, with units. Each is a column of the table, or a text such as `a.ux - b.ux` (see expression.py)."""
    quantities = [evaluate(text, table) for text in (x, y)]
    values = [np.broadcast_to(one.values, len(table)) for one in quantities]
    there = ~np.isnan(values[0]) & ~np.isnan(values[1])  # cells of probes that were not due are empty
    scales = [quantity.scale(one[there]) for one, quantity in zip(values, quantities)]
    figure, axes = new_figure()
    axes.plot(scales[0](values[0][there]), scales[1](values[1][there]), color=BLUE)
    axes.set_xlabel(scales[0].label(x))
    axes.set_ylabel(scales[1].label(y))
    return figure
